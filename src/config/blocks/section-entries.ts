/**
 * Splits sections into entries, and entries into keys and values, as far as this depends on the form alone. A value of the
 * wrong form is reported and masked, because a secret at the wrong place must not be quoted.
 */
import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { holdsCredential } from '../../model/credentials.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { Value } from '../../model/value.ts';
import { maskMisplaced, schemaOptionsOf, takesAnything } from '../fields/schema-options.ts';
import {
  type Entry,
  entryFor,
  hasReportedProblem,
  isNull,
  itemsOrSelf,
  type MapNode,
  maskNode,
  type Node,
  nodeOf,
  reportType,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** A section of a kind, with the content from all files and layers. */
export interface Section {
  kind: Kind;
  section: Node;
  /** The key of the section. */
  at: Spot;
}

/** An entry of a section whose content is not read yet. */
export interface SectionEntry {
  key?: ScalarNode;
  node: Node;
  /** The key of the entry, or the beginning of the list item. */
  at: Spot;
}

/**
 * Returns the entries of a section, whether it is written as a map, a list or a single block, so that one
 * block can be created for each. Returns undefined, after a report, if it has the wrong type: then its
 * entries are unknown, and the caller must not report references to them as undeclared.
 */
export function sectionEntries({ kind, section, at }: Section, report: Reporter): SectionEntry[] | undefined {
  if (isSingleton(kind)) return [{ node: section, at }];
  if (hasReportedProblem(section)) return undefined;
  if (isNull(section)) {
    report.error('config/null-entry', `\`${kind.section}\` is empty`, {
      at: section,
      hint: `write \`${kind.section}: ${kind.yaml.mapBy ? '{}' : '[]'}\` if it is meant to be empty, or remove it`,
    });
    return undefined;
  }
  if (kind.yaml.mapBy) return mapSectionEntries(kind, section, report);
  if (section.type === 'list') return section.items.map((node) => ({ node, at: node.at }));
  maskMisplaced(section, kind.fields);
  return reportType(report, section, `\`${kind.section}\` must be a list`, 'start each entry with `- `');
}

/**
 * Returns the entries of a section that must be a map, such as `env:`, so that one block can be created for
 * each. A key gives several entries if its kind allows a list behind it. Reports an entry that looks like a
 * place for YAML anchors, and returns undefined, after a report, if the section is no map of entries.
 */
function mapSectionEntries(kind: Kind, section: Node, report: Reporter): SectionEntry[] | undefined {
  const mapBy = kind.yaml.mapBy!;
  if (section.type !== 'map') {
    reportType(report, section, `\`${kind.section}\` must be a map`, `with one entry per \`${mapBy}\``);
    maskMisplacedNames(section, kind);
    return undefined;
  }
  if (looksLikeSingleEntry(kind, section)) {
    const { key } = section.entries[0]!;
    report.error(
      'config/type',
      `\`${kind.section}\` needs one entry per \`${mapBy}\`; these are the fields of a single one`,
      { at: key.at, hint: `write \`${kind.section}: { ${mapBy.toUpperCase()}: { ${key.text}: ... } }\`` },
    );
    maskMisplaced(section, kind.fields);
    return undefined;
  }
  for (const { key, value } of section.entries)
    if (!key.unusable && isAnchorHolder(key)) refuseAnchor(key, value, kind, report);
  return section.entries
    .filter(({ key }) => !key.unusable && !isAnchorHolder(key))
    .flatMap(({ key, value }) => {
      const nodes = kind.yaml.manyPerKey ? itemsOrSelf(value) : [value];
      return nodes.map((node) => ({ key, node, at: value.type === 'list' ? node.at : key.at }));
    });
}

/** Reports an entry of a section that only holds a YAML anchor, because it would otherwise become a resource. */
function refuseAnchor(key: ScalarNode, value: Node, { section }: Kind, report: Reporter): void {
  maskNode(value);
  report.error(
    'config/anchor',
    `\`${key.text}\` would be an entry of \`${section}\`, but looks like a place for anchors`,
    {
      at: key,
      hint: `move it to the top level of the file, next to \`${section}\`; if it is meant as an entry, remove the anchor`,
    },
  );
}

/**
 * Masks a value that stands where a map of blocks belongs. A plain name, as in `projects: [web]`, stays readable in the
 * message, because it can only be the key of a block. If a block may be a plain value, the text may be a secret, and is
 * masked.
 */
function maskMisplacedNames(section: Node, { fields, yaml: { shorthand } }: Kind): void {
  for (const item of itemsOrSelf(section))
    if (shorthand || item.type !== 'scalar' || !isPlainName(item.text)) maskMisplaced(item, fields);
}

/**
 * True for a short text that can be a name and does not look like a credential, so that a message may quote it although it stands in the
 * wrong place.
 */
const isPlainName = (text: string): boolean => /^[\w@.-]{1,100}$/.test(text) && !holdsCredential(text);

/**
 * True for a key that begins with `x-` and has an anchor at its value (`x-common: &common`, perhaps with comments between them). At the top
 * level of a file, such a key only holds an anchor to copy from. Used to reject an entry that was probably not meant as a resource.
 */
export const isAnchorHolder = ({ text, at }: ScalarNode): boolean =>
  text.startsWith('x-') && /^\s*:(?:\s+|#[^\n]*\n)*&/.test(at.source.text.slice(at.end));

/**
 * True if a section is written like one of its entries, because the key of the entry was forgotten: `projects: { framework: nextjs }`. The
 * message then shows how to write the key.
 */
const looksLikeSingleEntry = ({ fields, yaml: { shorthand, mapBy } }: Kind, { entries }: MapNode): boolean =>
  !shorthand &&
  entries.every(({ key }) => key.text !== mapBy && Object.hasOwn(fields, key.text)) &&
  entries.some(({ value }) => value.type !== 'map' && !isNull(value) && !hasReportedProblem(value));

/**
 * Returns the entries of a block, such as `web: { ... }` in `projects`: its fields, `$` settings and
 * sections. Where the kind allows a plain value instead (`env: { NAME: text }`), returns the fields that it
 * is short for. Returns undefined, after a report, for another type, such as a list. `spot`: the key of the
 * block, for messages.
 */
export function blockEntries(kind: Kind, node: Node, spot: Spot, report: Reporter): Entry[] | undefined {
  if (node.type === 'map') return node.entries;
  if (hasReportedProblem(node)) return undefined;
  if (isNull(node) && !takesNullEntry(kind)) return emptyBlockEntries(kind, spot, report);
  if (kind.yaml.shorthand && node.type !== 'list') return shorthandEntries(kind.yaml.shorthand, node);
  reportType(
    report,
    node,
    `an entry of \`${kind.section}\` must be a map`,
    (node.type === 'list' ? dataHint(kind, [], '[ … ]') : undefined) ?? 'list its fields',
  );
  // The misplaced value may be a secret, which no message may quote.
  maskMisplaced(node, kind.fields);
  return undefined;
}

/**
 * Returns the entries of a block without a value: none for an entry of a map of blocks (`projects: { web:
 * }`), because it then has only defaults. Returns undefined after it reported the other two cases, probably
 * mistakes: an entry whose value was forgotten (`env: { NAME: }`), and a block that is no entry of a map
 * (`firewall:`). `spot`: the key of the block.
 */
function emptyBlockEntries(kind: Kind, spot: Spot, report: Reporter): Entry[] | undefined {
  // If a plain value stands for an optional field, the entry could mean that the current value is kept, but is more likely a mistake.
  const isValueForgotten = hasOptionalShorthand(kind);
  if (kind.yaml.mapBy && !isValueForgotten) return [];
  const [message, hint] = isValueForgotten
    ? [
        `this entry of \`${kind.section}\` has no value`,
        'write its value after the colon and a space, `""` for an empty one, or `{}` to keep the current value',
      ]
    : [`\`${kind.section}\` is empty`, 'write `{}` if it is meant to be empty, or remove it'];
  report.error('config/null-entry', message, { at: spot, hint });
  return undefined;
}

/**
 * True if a key without a value (`NAME:`) is a complete entry of this kind: a plain value instead of a block
 * (the kind's `shorthand`) stands for fields that are required and accept null. Otherwise such an entry is a
 * block without fields, or a mistake that readers report.
 */
export function takesNullEntry({ yaml: { shorthand }, fields }: Kind): boolean {
  if (!shorthand) return false;
  const accepts = (name: string, value: unknown) => fields[name]!.safeParse(value).success;
  const isRequired = (name: string) => !accepts(name, undefined);
  return Object.entries(shorthand(null)).every(([name, value]) => accepts(name, value) && isRequired(name));
}

/**
 * True if the shorthand of the kind (a plain value instead of a block: `env: { NAME: text }`) stands for an optional field. An entry
 * without a value would then mean "keep the current value". Because it is easily written by mistake, `emptyBlockEntries` reports it.
 */
export const hasOptionalShorthand = ({ yaml: { shorthand }, fields }: Kind): boolean =>
  shorthand !== undefined &&
  Object.keys(shorthand('')).every((name) => fields[name]!.safeParse(undefined).success);

/**
 * Returns the fields that a plain value stands for where a block is expected: `LOG_LEVEL: info` means
 * `LOG_LEVEL: { value: info }`. `shorthand` is the kind's function from the value to its fields. The field with
 * the value itself keeps `node`, so that problems are reported at its place.
 */
function shorthandEntries(shorthand: NonNullable<Kind['yaml']['shorthand']>, node: Node): Entry[] {
  const value = shorthandValueOf(node);
  return Object.entries(shorthand(value)).map(([name, fieldValue]) =>
    entryFor(name, fieldValue === value ? node : nodeOf(fieldValue, node.at), node.at),
  );
}

/**
 * True for the field that a shorthand (`LOG_LEVEL: info`) stands for, so that commands that edit files replace the value alone. Its key is
 * not in the file, so it has the place of the value.
 */
export const isShorthandEntry = ({ key, value }: Entry): boolean => key.at === value.at;

/** Returns the value of a node that stands for a block. For an expression, whose text is known later, that is an empty `$join`. */
function shorthandValueOf(node: Node): Value {
  if (node.type === 'scalar') return node.text;
  return node.type === 'hole' ? node.hole : { $join: [] };
}

/**
 * Returns a hint if JSON data was probably written directly into a block instead of into its field: the keys
 * of the data would then be reported as unknown keys. That is so if the kind has a field that takes any data,
 * which its shorthand (a plain value instead of a block) fills alone, and the field is not among `entries`.
 * `data`: how the data looks in the hint.
 */
export function dataHint(
  { yaml: { shorthand }, fields }: Kind,
  entries: Entry[],
  data = '{ … }',
): string | undefined {
  // Any value shows which fields the shorthand fills.
  const [name, ...more] = Object.keys(shorthand?.('') ?? {});
  const isWritten = entries.some(({ key }) => key.text === name);
  if (name === undefined || more.length > 0 || isWritten) return undefined;
  const isData = schemaOptionsOf(fields[name]!).schemas.some(takesAnything);
  return isData ? `if this is data, put it in the field: \`${name}: ${data}\`` : undefined;
}
