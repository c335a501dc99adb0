import fc from 'fast-check';
import { expect } from 'vitest';
import { toChunks, versionOfText } from '../../src/ledger/document-version.ts';
import { formatLedgerParts } from '../../src/ledger/ledger-text.ts';
import { signParts, signText } from '../../src/ledger/proof.ts';
import { ledgerKeyFrom, withSortedMembers } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(4);

const member = fc.anything({
  withNullPrototype: false,
  maxDepth: 2,
  values: [fc.string({ unit: 'binary' })],
});
const record = fc.dictionary(
  fc.string().map((name) => `boxes/${name}`),
  fc.option(member, { nil: undefined }),
);
const ledger = fc.record(
  { entries: record, generation: fc.nat(), begun: record, inputs: fc.array(fc.string()), owed: record },
  { requiredKeys: ['entries', 'generation'] },
);

story('the text of a ledger in parts is that of the whole ledger with sorted records', () => {
  const key = ledgerKeyFrom('a key');
  fc.assert(
    fc.property(ledger, (content) => {
      const { entries, begun } = content;
      const sorted = {
        ...content,
        entries: withSortedMembers(entries),
        begun: begun && withSortedMembers(begun),
      };
      const parts = formatLedgerParts(content as unknown as Ledger);
      expect(signParts(parts, key)).toBe(signText(`${JSON.stringify(sorted, null, 2)}\n`, key));
    }),
    { numRuns: runs(2400) },
  );
});

story('a large ledger has several parts', () => {
  const entries = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`boxes/${n}`, { salt: 'x' }]));
  const parts = formatLedgerParts({ entries } as unknown as Ledger);
  expect(parts.length).toBeGreaterThan(2);
  expect(JSON.parse(`${parts.join('')}\n}`)).toEqual({ entries });
});

story('the chunks of a text are the text, and no character is torn', () => {
  const text = `${'x'.repeat(1024 * 1024 - 1)}😀${'é'.repeat(1024 * 1024)}`;
  const chunks = [...toChunks(text)];
  expect(chunks.length).toBe(2);
  expect(Buffer.concat(chunks.map((piece) => Buffer.from(piece))).equals(Buffer.from(text))).toBe(true);
  expect([...toChunks('')]).toEqual([]);
  expect(versionOfText('{}\n')).toBe('yj0WO6sFU4GCciYUBWjzvvfqrBh869doeOC2Pp5EI1Y');
});
