/**
 * The T-shirt page. Its HTML contains `<pay-checkout>`; this module adds header, footer and
 * picture.
 */
import { tee } from './art.js';
import { frame } from './frame.js';
import { find, show } from './markup.js';

frame();
show(find('#tee', HTMLElement), tee);
