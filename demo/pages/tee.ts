/**
 * The catalogue page has no code of its own: one tag, one script, and the shop's frame with a
 * drawing.
 */
import { tee } from './art.js';
import { frame } from './frame.js';
import { find, show } from './markup.js';

frame();
show(find('#tee', HTMLElement), tee);
