/**
 * The playground: every state of the element, in any theme, language and brand. With `still` or
 * `bare` in the address it shows the states alone, for screenshots and for its own frames.
 */
import { showBench } from './playground-bench.js';
import { readChoices } from './playground-choices.js';
import { showStage } from './playground-stage.js';

const choices = readChoices(location.search);
const asked = new URLSearchParams(location.search);
if (asked.has('still') || asked.has('bare')) await showStage(choices, asked.has('still'));
else showBench(choices);
