import { type Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import type { Node as LaidNode } from '../config/yaml/nodes.ts';
import type { YamlValue } from '../export/print.ts';
import { holesIn } from '../model/value.ts';
import { type EntryValues, writeDesiredValue } from './accepted-change.ts';
import { CannotEditHere, insertItem, insertLines } from './edit-collection.ts';
import type { WrittenValue } from './edit-value.ts';
import {
  applyTextEdits,
  endOffsetOf,
  itemsOf,
  offsetAfterColon,
  type Slot,
  scalarText,
} from './yaml-file.ts';
import { formatItem, formatValue, indentLines, nestedIndent } from './yaml-text.ts';

/**
 * Returns an entry that is written beside another one because their values now differ, for example for another target of a variable. Shared parts
 * keep their text, also expressions. Without a `home`, only literal parts can be copied; throws `CannotEditHere` for others.
 */
export function composeEntry(otherwise: EntryValues, read: ReadBlock, home: Slot | undefined): WrittenValue {
  const { fieldEntries, settingEntries, kind } = read.block;
  const names = [...fieldEntries, ...settingEntries]
    .map(({ key }) => key.text)
    .filter((name) => !kind.key.includes(name));
  const words = [...new Set([...names, ...otherwise.keys()])].map((name): [string, WrittenValue] => [
    name,
    otherwise.has(name) ? otherwise.get(name) : keptWords(name, read, home),
  ]);
  return Object.fromEntries(words.filter(([, value]) => value !== undefined));
}

function keptWords(name: string, { block, fields }: ReadBlock, home: Slot | undefined): WrittenValue {
  const { key, value } = [...block.fieldEntries, ...block.settingEntries].find(
    (entry) => entry.key.text === name,
  )!;
  const isShorthand = key.at === value.at;
  const slot = isShorthand ? home : home && slotIn(home, key.at.start, key.at.source.file);
  if (slot) return asWritten(slot.node);
  // A template may mean something else by its expressions than this place would.
  if (!isData(value) || name.startsWith('$') || holesIn(fields[name]).length > 0) throw new CannotEditHere();
  return writeDesiredValue(block.kind.fields[name], fields[name]);
}

/** True for what is read as it stands. */
function isData(node: LaidNode): boolean {
  if (node.type === 'list') return node.items.every(isData);
  if (node.type === 'map') return node.entries.every(({ value }) => isData(value));
  return node.type === 'scalar';
}

/** The entry of a block that is written in it, at this place. */
function slotIn(home: Slot, start: number, file: string): Slot | undefined {
  if (home.file.name !== file) return undefined;
  const slot = home.file.entryAt(start);
  return slot?.parent === home ? slot : undefined;
}

/** The data of a node as it is written; what an anchor makes stand elsewhere is not repeated. */
function asWritten(node: Node | null): WrittenValue {
  if (node === null) return null;
  let isPlain = true;
  const refuse = () => {
    isPlain = false;
  };
  visit(node, {
    Alias: refuse,
    Node: (_, { anchor, tag }) => {
      if (anchor !== undefined || (tag !== undefined && !tag.startsWith('tag:yaml.org'))) refuse();
    },
  });
  if (!isPlain) throw new CannotEditHere();
  if (isScalar(node)) return typeof node.value === 'bigint' ? scalarText(node) : (node.value as WrittenValue);
  return node.toJS({} as Document) as WrittenValue;
}

/**
 * Puts entries behind the one at a place: in its list, or with it in a list of their own.
 * @param shorten edits what the entry says of itself
 */
export function splitEntry(home: Slot, shorten: () => void, added: WrittenValue[]): void {
  const { file, parent: up } = home;
  if (!up) throw new CannotEditHere();
  const before = file.edits.length;
  if (isSeq(up.node)) {
    shorten();
    const index = itemsOf(up).indexOf(home);
    for (const words of added) insertItem(up, words as YamlValue, index);
    return;
  }
  if (!home.key || !home.node || home.isShared) throw new CannotEditHere();
  const { key, node } = home;
  const isLines = isMap(node) && !node.flow;
  const isInBrackets = file.isJson || (up.node as { flow?: boolean }).flow === true;
  const start = isLines ? file.lineStart(node.range![0]) : node.range![0];
  const end = isLines ? file.nextLine(endOffsetOf(home)) : endOffsetOf(home);
  shorten();
  // They become one edit, since what they change is moved as well.
  const textEdits = file.edits.splice(before);
  if (textEdits.some((edit) => edit.start < start || edit.end > end)) throw new CannotEditHere();
  const shift = (edit: (typeof textEdits)[number]) => ({
    ...edit,
    start: edit.start - start,
    end: edit.end - start,
  });
  const text = applyTextEdits(file.text.slice(start, end), textEdits.map(shift)).replaceAll('\r\n', '\n');
  if (isInBrackets) {
    const more = added.map((words) => formatValue(words as YamlValue, { isFlow: true, isJson: file.isJson }));
    file.edit(start, end, `[${[text, ...more].join(', ')}]`);
    return;
  }
  const indent = nestedIndent(file.columnOf(key.range![0]));
  const rows = added.map((words) => formatItem(words as YamlValue, indent)).join('');
  if (isLines) {
    // What stands before its first key on its line is the key of the entry.
    if (file.text.slice(start, node.range![0]).trim() !== '') throw new CannotEditHere();
    const item = asListItem(text, indent);
    // A last line without a line end stays the last one, and without.
    file.edit(start, end, item.endsWith('\n') ? `${item}${rows}` : `${item}\n${rows.replace(/\n$/, '')}`);
    return;
  }
  const colon = offsetAfterColon(key, file);
  if (file.text.slice(colon, start).trim() !== '') throw new CannotEditHere();
  file.edit(colon, end, `\n${' '.repeat(indent)}- ${indentLines(text, 2, true)}`);
  insertLines(file, end, rows);
}

/** The lines of a map as an item of a list; the dash stands before its first key. */
function asListItem(text: string, indent: number): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const depth = /^ */.exec(lines[first]!)![0].length;
  const more = indent + 2 - depth;
  const moved = (line: string) =>
    line.trim() === ''
      ? line
      : more >= 0
        ? ' '.repeat(more) + line
        : line.slice(Math.min(-more, /^ */.exec(line)![0].length));
  return lines
    .map((line, index) =>
      index === first ? `${' '.repeat(indent)}- ${line.slice(depth)}` : index < first ? line : moved(line),
    )
    .join('\n');
}
