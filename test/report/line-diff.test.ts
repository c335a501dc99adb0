import { createTwoFilesPatch, diffArrays } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareLongTexts, formatHunks } from '../../src/report/line-diff.ts';
import { runs } from '../support/sweep.ts';

const text = (texts: string) =>
  fc
    .array(fc.constantFrom(...texts), { maxLength: 30 })
    .chain((lines) =>
      fc.constantFrom('', '\n').map((end) => (lines.length === 0 ? '' : lines.join('\n') + end)),
    );
const common = text('abc');
const all = text('abcdefghijklmnopqrstuvwxyz');

it('prints the unified diff of the library', () => {
  fc.assert(
    fc.property(fc.oneof(common, all), fc.oneof(common, all), (before, after) => {
      const patch = createTwoFilesPatch('a', 'b', before, after, undefined, undefined, { context: 3 });
      const [, , , ...lines] = patch.split('\n').slice(0, -1);
      expect(formatHunks(before, after, 3)).toEqual(lines);
    }),
    { numRuns: runs(10_000) },
  );
});

it('finds the same texts in the runs of long texts', () => {
  fc.assert(
    fc.property(all, all, (before, after) => {
      const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
      const found = compareLongTexts(oldLines, newLines, 0);
      expect(found.filter(({ added }) => !added).flatMap(({ value }) => value)).toEqual(oldLines);
      expect(found.filter(({ removed }) => !removed).flatMap(({ value }) => value)).toEqual(newLines);
    }),
    { numRuns: runs(10_000) },
  );
});

it('keeps as many lines of long texts without anchors as an exact comparison', () => {
  const twice = all.map((lines) => [...lines.split('\n'), ...lines.split('\n')]);
  fc.assert(
    fc.property(twice, twice, (before, after) => {
      const countKept = (runsOfText: ReturnType<typeof compareLongTexts>) =>
        runsOfText.flatMap(({ value, added, removed }) => (added || removed ? [] : value)).length;
      expect(countKept(compareLongTexts(before, after, 0))).toBe(countKept(diffArrays(before, after)));
    }),
    { numRuns: runs(10_000) },
  );
});
