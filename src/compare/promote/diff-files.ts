import { diffArrays } from 'diff';
import type { ChangedFile } from '../../accept/accept.ts';
import { createMasks } from '../../accept/accepted-files.ts';
import { applyTextEdits } from '../../accept/yaml-file.ts';
import type { WrittenConfiguration } from '../../config/configuration.ts';
import { textDiff } from '../../report/value-diff.ts';

/**
 * Returns the diff of the files that a promotion changes, with all secrets hidden. A value that stage B did not read before is hidden there, as it
 * may be a secret, and is known once B reads it. A line with such a value is no difference, so lines that stay are hidden as they are in the new
 * configuration.
 */
export function diffPromoted(
  files: readonly ChangedFile[],
  before: WrittenConfiguration,
  after: WrittenConfiguration,
): string {
  const masksBefore = createMasks(before, new Set(), []);
  const masksAfter = createMasks(after, new Set(), []);
  return files
    .map(({ name, ...texts }) => {
      const shownBefore = applyTextEdits(texts.before, masksBefore.get(name) ?? []);
      const shownAfter = applyTextEdits(texts.after, masksAfter.get(name) ?? []);
      return textDiff(withLinesOf(shownBefore, shownAfter, texts), shownAfter, { from: name, to: name });
    })
    .join('\n');
}

/**
 * Returns the hidden old text with the lines of the hidden new text where both texts have the same line. If a secret has several lines, lines
 * cannot be compared one by one, and the text stays.
 */
function withLinesOf(
  shownBefore: string,
  shownAfter: string,
  texts: Pick<ChangedFile, 'before' | 'after'>,
): string {
  const [before, after] = [texts.before.split('\n'), texts.after.split('\n')];
  const [shownLines, newLines] = [shownBefore.split('\n'), shownAfter.split('\n')];
  if (shownLines.length !== before.length || newLines.length !== after.length) return shownBefore;
  let oldIndex = 0;
  let newIndex = 0;
  for (const { added, removed, count } of diffArrays(before, after)) {
    if (!added && !removed)
      for (let i = 0; i < count; i++) shownLines[oldIndex + i] = newLines[newIndex + i]!;
    if (!added) oldIndex += count;
    if (!removed) newIndex += count;
  }
  return shownLines.join('\n');
}
