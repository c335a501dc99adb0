import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml, html } from '../../../src/report/html/markup.ts';
import { escapeHidden } from '../../../src/report/text.ts';
import { codePoint } from '../../support/characters.ts';
import { runs } from '../../support/sweep.ts';

const hostile = fc.oneof(
  fc.string({ unit: codePoint }),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '`', '/', '=', ' ', '--', '!', 'script', '&#60;', 'x'))
    .map((parts) => parts.join('')),
);
const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

it('no text breaks out of an element or an attribute, and none is lost', () => {
  fc.assert(
    fc.property(hostile, hostile, (inside, attribute) => {
      const { text } = html`<p title="${attribute}">${inside}</p>`;
      const [, value, content] = /^<p title="([^"<>]*)">([^"'<>`]*)<\/p>$/s.exec(text)!;
      expect([decoded(value!), decoded(content!)]).toEqual(
        [attribute, inside].map((one) => escapeHidden(one)),
      );
      expect(escapeHtml(inside)).not.toMatch(/[<>"'`]|&(?!#\d+;)/);
    }),
    { numRuns: runs(1000, 10) },
  );
});

it('markup stands as it is, lists are joined, and what is not there leaves nothing', () => {
  const list = [html`<b>1</b>`, [2, '<']];
  expect(html`<p>${list}${undefined}${false}${0}</p>`.text).toBe('<p><b>1</b>2&#60;0</p>');
});
