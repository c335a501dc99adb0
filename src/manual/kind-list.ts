import { childKinds, lineage, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { Fields } from '../model/value.ts';
import type { Style } from '../report/style.ts';
import { cut, displayWidth } from '../report/text.ts';

/** One kind in the list of all; `depth` is 0 at the top of the YAML. */
interface KindSummary {
  kind: string;
  path: string;
  depth: number;
  doc: string;
}

/** Returns all kinds, each below its parent. Used for the overview of kinds in the manual. */
export const kindList = (kinds: Kinds): KindSummary[] =>
  kindTree(kinds).map(({ kind, depth }) => ({
    kind: kind.name,
    path: sectionPath(kinds, kind),
    depth,
    doc: kind.doc,
  }));

/** Finds kinds by name, else by path as the list shows it, else by section, ignoring case. Used for `trueup kinds NAME`. */
export function kindsNamed(kinds: Kinds, name: string): KindSummary[] {
  const wanted = name.toLowerCase();
  const kindSummaries = kindList(kinds);
  const identifiers: ((kindSummary: KindSummary) => string)[] = [
    ({ kind }) => kind,
    ({ path }) => path,
    ({ kind }) => kinds.get(kind)!.section,
  ];
  return (
    identifiers
      .map((identifierOf) =>
        kindSummaries.filter((kindSummary) => identifierOf(kindSummary).toLowerCase() === wanted),
      )
      .find(({ length }) => length) ?? []
  );
}

// With fewer columns than this, a description is on a line of its own.
const minTextWidth = 30;
// With so many columns for the description, the whole path is shown.
const ampleWidth = 70;

/** Formats all kinds, one per line: section in the YAML, name, and description, cut to the line. Kinds inside another kind are below it. */
export function kindListText(kindSummaries: KindSummary[], { style }: { style: Style }): string {
  // Lines for a log are not cut, because programs may read them.
  const width = Number.isFinite(style.prose) ? style.width : Number.POSITIVE_INFINITY;
  const longest = (texts: string[]) => Math.max(0, ...texts.map(displayWidth)) + 2;
  const nameWidth = longest(kindSummaries.map(({ kind }) => kind));
  const fullPath = ({ path, depth }: KindSummary) => '  '.repeat(depth) + path;
  // The path of the parent is on a line above, so it can be left out if there is little room.
  const lastSection = ({ path, depth }: KindSummary) =>
    '  '.repeat(depth) + (depth === 0 ? path : `.${path.split('.').at(-1)}`);
  const descriptionWidth = width - longest(kindSummaries.map(fullPath)) - nameWidth;
  const formatPath = descriptionWidth < ampleWidth ? lastSection : fullPath;
  const pathWidth = longest(kindSummaries.map(formatPath));
  const room = width - pathWidth - nameWidth;
  const lines = kindSummaries.flatMap((kindSummary, index) => {
    const head = `${formatPath(kindSummary).padEnd(pathWidth)}${style.strong(kindSummary.kind)}`;
    const gap = ' '.repeat(nameWidth - displayWidth(kindSummary.kind));
    const doc = (width: number) => style.quiet(cut(kindSummary.doc, width));
    const below = ' '.repeat(2 * kindSummary.depth + 4);
    return [
      ...(startsArea(kindSummaries, index) ? [''] : []),
      ...(room >= minTextWidth ? [head + gap + doc(room)] : [head, below + doc(width - below.length)]),
    ];
  });
  return [...lines, '', '`trueup kinds NAME` shows the manual page of one.'].join('\n');
}

/** True if an empty line goes before a kind: it begins an area. Neighbours at the top without children share an area. */
function startsArea(kindSummaries: KindSummary[], index: number): boolean {
  const [before, current, after] = [
    kindSummaries[index - 1],
    kindSummaries[index]!,
    kindSummaries[index + 1],
  ];
  return before !== undefined && current.depth === 0 && (before.depth > 0 || (after?.depth ?? 0) > 0);
}

/** A field's name as a placeholder: `gitBranch` is `GIT_BRANCH`. */
const placeholder = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The section in the YAML, with a placeholder for each block above: `projects.NAME.env`. */
export function sectionPath(kinds: Kinds, kind: Kind): string {
  const above = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  return above ? `${blockPath(kinds, above)}.${kind.section}` : kind.section;
}

/** One block of the section: `projects.NAME.env.KEY`, `domains.NAME.records[]`, `projects.NAME.firewall`. */
export function blockPath(kinds: Kinds, kind: Kind): string {
  const path = sectionPath(kinds, kind);
  if (kind.yaml.mapBy !== undefined) return `${path}.${placeholder(kind.yaml.mapBy)}`;
  return kind.key.length === 0 ? path : `${path}[]`;
}

/** The form of the kind's addresses: `projects/NAME/env/KEY@TARGET`. */
export function addressForm(kinds: Kinds, kind: Kind): Address {
  const above = kind.parent === undefined ? undefined : kinds.get(kind.parent);
  // One of the fields that become part of the address is enough.
  const addressFields = [...kind.key, ...kind.shape.addressFields.slice(0, 1)];
  const fields: Fields = Object.fromEntries(addressFields.map((name) => [name, placeholder(name)]));
  return addressOf(above && addressForm(kinds, above), kind.section, namesOf(kind, fields));
}

/** Explains what the section holds and how to write a block. Shown on the manual page of the kind. */
export function formWords(kind: Kind): string[] {
  if (kind.key.length === 0) return ['a single block'];
  if (kind.yaml.mapBy === undefined)
    return [kind.shape.orderDecides ? 'an ordered list' : 'a list, in any order'];
  const short = kind.yaml.shorthand?.('VALUE');
  const members = Object.entries(short ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [
    `a map with one entry per \`${kind.yaml.mapBy}\``,
    ...(kind.yaml.manyPerKey ? ['an entry may be a list'] : []),
    ...(short ? [`a bare VALUE is short for { ${members.join(', ')} }`] : []),
  ];
}

/** Kinds as a tree in the order of the provider: `depth` is 0 for those at the top. */
function kindTree(kinds: Kinds, parent?: Kind, depth = 0): { kind: Kind; depth: number }[] {
  return childKinds(kinds, parent?.name).flatMap((kind) => [
    { kind, depth },
    ...kindTree(kinds, kind, depth + 1),
  ]);
}

/** The nearest kind above, for people: `project`, or `account` at the top. */
export const homeOf = (kinds: Kinds, kind: Kind): string => lineage(kinds, kind.parent)[0]?.name ?? 'account';
