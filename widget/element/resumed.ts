/** Which element of the page takes the order that the page's address names: the first, and no other. */
import type { Resume } from '../../relay/contract/requests.js';
import { dropResume, readResume } from '../page/resume.js';

let taker: HTMLElement | null = null;

/** @param drop the address stands for itself again. @returns what the address names, when it is this element's to take */
export function takeResume(element: HTMLElement, drop = false): Resume | null {
  const resume = readResume();
  taker = resume ? (taker?.isConnected ? taker : element) : null;
  if (taker !== element) return null;
  if (drop) {
    dropResume();
    taker = null;
  }
  return resume;
}
