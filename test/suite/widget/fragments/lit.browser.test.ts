/** The second script makes Lit's templates itself, because the first script's Lit renders them. */
import { expect } from '@open-wc/testing';
import * as lit from 'lit';
import { html, nothing } from '../../../../widget/later/lit.js';

describe('the second script', () => {
  it('makes the same template as Lit from the same text', () => {
    const template = (tag: typeof html): unknown => tag`<p title=${'a'}>${1}${nothing}</p>`;
    const own = template(html);
    expect(own).to.deep.equal(template(lit.html));
    const place = document.createElement('div');
    lit.render(own, place);
    expect(place.querySelector('p')?.title).to.equal('a');
    expect(place.textContent).to.equal('1');
    expect(nothing).to.equal(lit.nothing);
  });
});
