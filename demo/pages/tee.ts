/** The catalogue page: its HTML has the element, so only the frame and a drawing are added here. */
import { tee } from './art.js';
import { frame } from './frame.js';
import { find, show } from './markup.js';

frame();
show(find('#tee', HTMLElement), tee);
