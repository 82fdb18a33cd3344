/**
 * The playground: every state of the element, in any theme, language and brand. With `still` or
 * `bare` in the address it shows the states without controls: `still` is for screenshots, and
 * `bare` for the frames of the playground.
 */
import { showBench } from './playground-bench.js';
import { readChoices } from './playground-choices.js';
import { showStage } from './playground-stage.js';

const choices = readChoices(location.search);
const parameters = new URLSearchParams(location.search);
const still = parameters.has('still');
if (still || parameters.has('bare')) await showStage(choices, still);
else showBench(choices);
