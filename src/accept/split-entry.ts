import { isMap, isSeq, type Scalar } from 'yaml';
import type { YamlValue } from '../export/print-yaml.ts';
import type { WrittenValue } from './edit-value.ts';
import { CannotEditHere, insertItem, insertLines } from './edit-yaml.ts';
import { formatItem, formatValue, indentLines, nestedIndent } from './format-yaml-text.ts';
import {
  applyTextEdits,
  endOffsetOf,
  inBrackets,
  itemSlotsOf,
  offsetAfterColon,
  type Slot,
  surroundingsOf,
  type TextEdit,
  type YamlFile,
} from './yaml-file.ts';

/*
 * Splits an entry that stands for several units, such as a variable for three targets, if only some of them changed. Several entries with
 * one key are a list in the YAML, so an entry that has its key alone becomes a list first:
 *
 *   API_URL:                              API_URL:
 *     value: https://a.example     ->       - value: https://a.example
 *     target: [preview, production]           target: [production]
 *                                           - value: https://b.example
 *                                             target: [preview]
 */

/**
 * Inserts new entries behind an entry, because its objects now have different values in the account: into the
 * list that contains it, or into a new list with the old entry as its first item. So `API_URL: { value: a,
 * target: [production, preview] }` becomes a list of two items. Used by `accept`; throws `CannotEditHere` if
 * the entry shares its line with other text, is repeated by an alias, or is edited outside of its text.
 * @param editOldEntry edits the fields of the old entry; its edits are moved along when the entry becomes a
 * list item
 */
export function splitEntry(slot: Slot, editOldEntry: () => void, newEntries: WrittenValue[]): void {
  const { parent } = slot;
  if (!parent) throw new CannotEditHere();
  // The entry is an item of a list already.
  if (isSeq(parent.node)) {
    editOldEntry();
    const index = itemSlotsOf(parent).indexOf(slot);
    for (const entry of newEntries) insertItem(parent, entry as YamlValue, index);
    return;
  }
  if (!slot.key || !slot.node || slot.isShared) throw new CannotEditHere();
  const { file, key, node } = slot;
  const hasOwnLines = isMap(node) && !node.flow;
  const start = hasOwnLines ? file.lineStart(node.range![0]) : node.range![0];
  const end = hasOwnLines ? file.nextLine(endOffsetOf(slot)) : endOffsetOf(slot);
  const oldEntry: EntryText = { file, key, start, end, text: editedText(slot, editOldEntry, start, end) };
  if (surroundingsOf(slot).isFlow) makeListInBrackets(oldEntry, newEntries);
  else if (hasOwnLines) makeListOfLines(oldEntry, node.range![0], newEntries);
  else makeListBelowKey(oldEntry, newEntries);
}

/** The text of an entry that becomes a list, with the edits of its fields applied, and the part of the file that it replaces. */
interface EntryText {
  file: YamlFile;
  key: Scalar;
  start: number;
  end: number;
  text: string;
}

/** Writes an entry in brackets or JSON as the first item of a new list in brackets. */
function makeListInBrackets({ file, start, end, text }: EntryText, newEntries: WrittenValue[]): void {
  const entries = newEntries.map((entry) => formatValue(entry as YamlValue, inBrackets(file)));
  file.edit(start, end, `[${[text, ...entries].join(', ')}]`);
}

/**
 * Writes an entry that is a map with a line for each field as the first item of a new list: its lines become those of an item.
 * `firstKeyStart`: the offset of its first key. Throws `CannotEditHere` if other text is on that line.
 */
function makeListOfLines(oldEntry: EntryText, firstKeyStart: number, newEntries: WrittenValue[]): void {
  const { file, start, end, text } = oldEntry;
  if (file.text.slice(start, firstKeyStart).trim() !== '') throw new CannotEditHere();
  const indent = itemIndentOf(oldEntry);
  const lines = formatItems(newEntries, indent);
  const item = toListItem(text, indent);
  // If the old entry ends a file without a line feed, the new entries end it in the same way.
  const itemAndLines = item.endsWith('\n') ? item + lines : `${item}\n${lines.replace(/\n$/, '')}`;
  file.edit(start, end, itemAndLines);
}

/**
 * Writes an entry that is a value on the line of its key as the first item of a new list: it moves to a line of its own, behind a dash.
 * Throws `CannotEditHere` if other text, such as an anchor, is between key and value.
 */
function makeListBelowKey(oldEntry: EntryText, newEntries: WrittenValue[]): void {
  const { file, key, start, end, text } = oldEntry;
  const indent = itemIndentOf(oldEntry);
  const colonEnd = offsetAfterColon(key, file);
  if (file.text.slice(colonEnd, start).trim() !== '') throw new CannotEditHere();
  file.edit(colonEnd, end, `\n${' '.repeat(indent)}- ${indentLines(text, 2, { isInline: true })}`);
  // Does not overlap with the edit before, because an insertion may be at its end.
  insertLines(file, end, formatItems(newEntries, indent));
}

/** Returns the column of the dashes of a list below the key of an entry. */
const itemIndentOf = ({ file, key }: EntryText): number => nestedIndent(file.columnOf(key.range![0]));

const formatItems = (entries: WrittenValue[], indent: number): string =>
  entries.map((entry) => formatItem(entry as YamlValue, indent)).join('');

/**
 * Runs `edit`, takes its edits out of the file again, and returns the text from `start` to `end` with these edits applied. Used when
 * `accept` splits an entry for several targets: the caller replaces this text, and the edits of a file must not overlap. The text has plain
 * line feeds, since `YamlFile.edit` restores the line ends of the file. Throws `CannotEditHere` for an edit outside of that text.
 */
function editedText({ file }: Slot, edit: () => void, start: number, end: number): string {
  const editCount = file.edits.length;
  edit();
  const edits = file.edits.splice(editCount);
  if (edits.some((textEdit) => textEdit.start < start || textEdit.end > end)) throw new CannotEditHere();
  const movedEdits = edits.map(
    (textEdit): TextEdit => ({ ...textEdit, start: textEdit.start - start, end: textEdit.end - start }),
  );
  return applyTextEdits(file.text.slice(start, end), movedEdits).replaceAll('\r\n', '\n');
}

/**
 * Converts the lines of a block map to a list item, because `accept` splits an entry into a list of several.
 * The lines `value: a` and `target: b` become `- value: a` and `  target: b` at the new indentation. Comments
 * above the first key stay where they are.
 * @param indent the column of the dash
 */
function toListItem(text: string, indent: number): string {
  const lines = text.split('\n');
  const firstKeyIndex = lines.findIndex((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const oldIndent = indentOfLine(lines[firstKeyIndex]!);
  const addedIndent = indent + 2 - oldIndent;
  const moveLine = (line: string): string => {
    if (line.trim() === '') return line;
    if (addedIndent >= 0) return ' '.repeat(addedIndent) + line;
    // Moves to the left, but cuts no text off.
    return line.slice(Math.min(-addedIndent, indentOfLine(line)));
  };
  const movedLines = lines.map((line, index) => {
    if (index === firstKeyIndex) return `${' '.repeat(indent)}- ${line.slice(oldIndent)}`;
    return index < firstKeyIndex ? line : moveLine(line);
  });
  return movedLines.join('\n');
}

/** Returns the number of spaces at the start of a line. */
const indentOfLine = (line: string): number => /^ */.exec(line)![0].length;
