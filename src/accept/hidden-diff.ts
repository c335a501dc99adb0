/*
 * The diff of files that a command changes, without the secrets in them.
 *
 *   mask     a part of a text that is shown as `(secret)`
 *
 * The real lines are compared, and only then hidden. So a change inside a mask is shown as a changed line, and a line that stays is never
 * shown as changed because only one of the two texts has a mask there.
 */
import { appendAll, groupBy } from '../model/graph.ts';
import { compareLongTexts } from '../report/line-diff.ts';
import { textDiff } from '../report/value-diff.ts';
import type { ChangedFile } from './changed-files.ts';

/** A part of a text, by offsets. */
export type Mask = readonly [start: number, end: number];

/** A line and its masks, with offsets in the line. */
interface HiddenLine {
  text: string;
  masks: Mask[];
}

/** The shortest hidden text that is also hidden where the other text has it without a mask. Shorter ones are in too many words. */
const minHiddenText = 4;

/**
 * Returns the diff of a file for a person who decides whether it is written, with `(secret)` instead of secrets. `masks`: the ranges of
 * secrets in the old and in the new text. A mask of one text also counts in the other, because the new configuration may not read a secret
 * any more that the file still has.
 */
export function diffHidden(
  { name, before, after }: Pick<ChangedFile, 'name' | 'before' | 'after'>,
  masks: { before: readonly Mask[]; after: readonly Mask[] },
): string {
  const oldLines = hideLines(before, masks.before);
  const newLines = hideLines(after, masks.after);
  const { changedOld, changedNew } = shareMasks(oldLines, newLines);
  hideTexts(changedNew, hiddenTextsOf(before, masks.before));
  hideTexts(changedOld, hiddenTextsOf(after, masks.after));
  const texts = new Set([...oldLines, ...newLines].map(({ text }) => text));
  const numbers = new Map([...texts].map((text, index) => [text, index]));
  // Lines that differ only inside of a mask would look equal. So a number for each text is added, and taken out of the diff again.
  const format = (lines: readonly HiddenLine[]) =>
    lines
      .map((line, index) =>
        line.text === '' && index === lines.length - 1 ? '' : `${showLine(line)}\0${numbers.get(line.text)}`,
      )
      .join('\n');
  return textDiff(format(oldLines), format(newLines), { from: name, to: name }, (line) =>
    line.replace(/\0\d+$/, ''),
  );
}

/**
 * Gives equal lines of the old and the new text the masks (the places of secrets) of both, so that a secret which only one of the two
 * configurations reads is hidden in both. Returns the lines that only one of the texts has.
 */
function shareMasks(oldLines: readonly HiddenLine[], newLines: readonly HiddenLine[]) {
  const changedOld: HiddenLine[] = [];
  const changedNew: HiddenLine[] = [];
  let [oldIndex, newIndex] = [0, 0];
  const runs = compareLongTexts(
    oldLines.map(({ text }) => text),
    newLines.map(({ text }) => text),
  );
  for (const { added, removed, value: lines } of runs) {
    const oldRun = oldLines.slice(oldIndex, oldIndex + lines.length);
    const newRun = newLines.slice(newIndex, newIndex + lines.length);
    if (added) appendAll(changedNew, newRun);
    else if (removed) appendAll(changedOld, oldRun);
    else
      for (const [index, oldLine] of oldRun.entries()) {
        oldLine.masks = [...oldLine.masks, ...newRun[index]!.masks];
        newRun[index]!.masks = oldLine.masks;
      }
    if (!added) oldIndex += lines.length;
    if (!removed) newIndex += lines.length;
  }
  return { changedOld, changedNew };
}

/**
 * Splits a text into lines, each with the parts of masks (ranges of the text with secrets) that are in it, so that a diff can hide them
 * line by line.
 */
function hideLines(text: string, masks: readonly Mask[]): HiddenLine[] {
  const sorted = masks.toSorted(([a], [b]) => a - b);
  let start = 0;
  // The first mask that does not end before the current line.
  let first = 0;
  return text.split('\n').map((line) => {
    const end = start + line.length;
    while (first < sorted.length && sorted[first]![1] <= start) first++;
    const masksOfLine: Mask[] = [];
    for (let i = first; i < sorted.length && sorted[i]![0] < end; i++) {
      const [from, to] = [Math.max(sorted[i]![0], start) - start, Math.min(sorted[i]![1], end) - start];
      if (from < to) masksOfLine.push([from, to]);
    }
    // The next line begins behind the line break.
    start = end + 1;
    return { text: line, masks: masksOfLine };
  });
}

/**
 * Returns the texts of one line that masks (the places of secrets) hide in one version of a file, each once and without quotes. The diff
 * hides them in the changed lines of the other version, too, even if that has no masks there. Texts that are too short to be looked for
 * (`minHiddenText`) are left out.
 */
const hiddenTextsOf = (text: string, masks: readonly Mask[]): string[] => [
  ...new Set(
    masks
      .map(([start, end]) => text.slice(start, end).replace(/^(["'])(.*)\1$/s, '$2'))
      .filter((hidden) => hidden.length >= minHiddenText && !hidden.includes('\n')),
  ),
];

/**
 * Adds masks to lines wherever they have one of these texts, each of at least `minHiddenText` characters. Looks them up by their first
 * characters, because both lists may be long.
 */
function hideTexts(lines: readonly HiddenLine[], hiddenTexts: readonly string[]): void {
  const textsByStart = groupBy(hiddenTexts, (hidden) => hidden.slice(0, minHiddenText));
  const candidatesByStart = new Map(
    [...textsByStart].map(([start, texts]) => [
      start,
      { texts: new Set(texts), lengths: new Set(texts.map(({ length }) => length)) },
    ]),
  );
  for (const line of lines)
    for (let index = 0; index < line.text.length; index++) {
      const candidates = candidatesByStart.get(line.text.slice(index, index + minHiddenText));
      if (!candidates) continue;
      for (const length of candidates.lengths)
        if (candidates.texts.has(line.text.slice(index, index + length)))
          line.masks = [...line.masks, [index, index + length]];
    }
}

/** Returns a line as the diff shows it, with `(secret)` instead of each mask. Masks may overlap. */
function showLine({ text, masks }: HiddenLine): string {
  let shown = '';
  let index = 0;
  for (const [start, end] of masks.toSorted(([a], [b]) => a - b)) {
    if (start >= index) shown += `${text.slice(index, start)}(secret)`;
    index = Math.max(index, end);
  }
  return shown + text.slice(index);
}
