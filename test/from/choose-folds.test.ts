import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CommentedMap } from '../../src/export/print-yaml.ts';
import type { FoldCandidate } from '../../src/from/fold-sections.ts';
import { chooseFolds } from '../../src/from/terraform/fold-resource-instances.ts';
import { runs } from '../support/sweep.ts';

/** Chooses in the plain way: adds each candidate in turn if the meaning stays. */
async function chooseInTurn(...[candidates, keepsMeaning]: Parameters<typeof chooseFolds>) {
  const chosen: FoldCandidate[] = [];
  for (const candidate of candidates) if (await keepsMeaning([...chosen, candidate])) chosen.push(candidate);
  return chosen;
}

const candidate = fc.record({
  section: fc.constantFrom('projects', 'domains'),
  name: fc.constantFrom('a-${each.key}', 'b-${each.key}', 'c-${each.key}', 'd-${each.key}'),
  isHarmless: fc.boolean(),
});

it('chooses the loops that can be folded as if each were tried in turn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(candidate, { maxLength: 12 }), async (models) => {
      const harmful = new Set<FoldCandidate>();
      const candidates = models.map(({ section, name, isHarmless }, index): FoldCandidate => {
        const folded = { name, block: new CommentedMap() };
        const made = { section, from: `resource ${index}`, names: new Set([`block ${index}`]), folded };
        if (!isHarmless) harmful.add(made);
        return made;
      });
      const keepsMeaning = async (group: readonly FoldCandidate[]) => {
        const keys = group.map(({ section, folded }) => `${section} ${folded.name}`);
        return new Set(keys).size === keys.length && !group.some((item) => harmful.has(item));
      };
      expect(await chooseFolds(candidates, keepsMeaning)).toEqual(
        await chooseInTurn(candidates, keepsMeaning),
      );
    }),
    { numRuns: runs(10_000) },
  );
});

it('tries many loops with one comparison', async () => {
  const candidates = Array.from(
    { length: 100 },
    (_, index): FoldCandidate => ({
      ...{ section: 'projects', from: `resource ${index}`, names: new Set([`block ${index}`]) },
      folded: { name: `${index}-\${each.key}`, block: new CommentedMap() },
    }),
  );
  let comparisons = 0;
  const chosen = await chooseFolds(candidates, async () => ++comparisons > 0);
  expect([chosen.length, comparisons]).toEqual([100, 1]);
});
