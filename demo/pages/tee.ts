/** The catalogue page has no code of its own: one tag and one script. */
import { frame } from './frame.js';

frame();
