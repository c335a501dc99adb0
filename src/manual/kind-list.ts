import { childKinds, lineage, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { Fields } from '../model/value.ts';
import { cut, displayWidth } from '../report/cut.ts';
import type { Style } from '../report/style.ts';

/** One kind in the list of all; `depth` is 0 at the top of the YAML. */
interface KindSummary {
  kind: string;
  path: string;
  depth: number;
  doc: string;
}

/** All kinds, each below the one that it stands in. */
export const kindList = (kinds: Kinds): KindSummary[] =>
  kindTree(kinds).map(({ kind, depth }) => ({
    kind: kind.name,
    path: sectionPath(kinds, kind),
    depth,
    doc: kind.doc,
  }));

/** The kinds that a name may mean: by name, else by path as the list shows it, else by section; case does not matter. */
export function kindsNamed(kinds: Kinds, name: string): KindSummary[] {
  const wanted = name.toLowerCase();
  const kindSummaries = kindList(kinds);
  const tests: ((one: KindSummary) => string)[] = [
    ({ kind }) => kind,
    ({ path }) => path,
    ({ kind }) => kinds.get(kind)!.section,
  ];
  return (
    tests
      .map((text) => kindSummaries.filter((kindSummary) => text(kindSummary).toLowerCase() === wanted))
      .find(({ length }) => length) ?? []
  );
}

// With less room than this, a text stands on a line of its own.
const leastColumnWidth = 30;
// So much says what a kind is.
const ample = 70;

/** All kinds, one for each line: its section in the YAML, its name, and what it is, as far as it fits. What stands in a block is below it. */
export function kindListText(kindSummaries: KindSummary[], { style }: { style: Style }): string {
  // Nothing cuts a line that is read by a program.
  const width = Number.isFinite(style.prose) ? style.width : Number.POSITIVE_INFINITY;
  const longest = (texts: string[]) => Math.max(0, ...texts.map(displayWidth)) + 2;
  const names = longest(kindSummaries.map(({ kind }) => kind));
  const whole = ({ path, depth }: KindSummary) => '  '.repeat(depth) + path;
  // What it stands in is above it: where there is little room, that is not said again.
  const own = ({ path, depth }: KindSummary) =>
    '  '.repeat(depth) + (depth === 0 ? path : `.${path.split('.').at(-1)}`);
  const place = width - longest(kindSummaries.map(whole)) - names < ample ? own : whole;
  const places = longest(kindSummaries.map(place));
  const room = width - places - names;
  const lines = kindSummaries.flatMap((kindSummary, index) => {
    const head = `${place(kindSummary).padEnd(places)}${style.strong(kindSummary.kind)}`;
    const gap = ' '.repeat(names - displayWidth(kindSummary.kind));
    const doc = (width: number) => style.quiet(cut(kindSummary.doc, width));
    const below = ' '.repeat(2 * kindSummary.depth + 4);
    return [
      ...(startsArea(kindSummaries, index) ? [''] : []),
      ...(room >= leastColumnWidth ? [head + gap + doc(room)] : [head, below + doc(width - below.length)]),
    ];
  });
  return [...lines, '', '`trueup kinds NAME` shows the manual page of one.'].join('\n');
}

/** An empty line sets areas apart; kinds without anything below them share one. */
function startsArea(kindSummaries: KindSummary[], index: number): boolean {
  const [before, one, after] = [kindSummaries[index - 1], kindSummaries[index]!, kindSummaries[index + 1]];
  return before !== undefined && one.depth === 0 && (before.depth > 0 || (after?.depth ?? 0) > 0);
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
  // Of the fields that say where a unit is, one does.
  const told = [...kind.key, ...kind.shape.addressFields.slice(0, 1)];
  const fields: Fields = Object.fromEntries(told.map((name) => [name, placeholder(name)]));
  return addressOf(above && addressForm(kinds, above), kind.section, namesOf(kind, fields));
}

/** Explains what the section holds and how to write a block. */
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
