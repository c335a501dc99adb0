import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { LookupSource } from '../../model/resource.ts';
import { keyNames } from '../blocks/block.ts';
import type { Section } from '../blocks/section-entries.ts';
import type { Configuration } from '../load.ts';
import { type Entry, type MapNode, type Node, nodeOf, nowhere } from '../yaml/nodes.ts';
import { type PrintOptions, printEntries } from './print-nodes.ts';

interface RenderOptions extends PrintOptions {
  /** Only what is at these addresses, or below them, without the header. */
  keep?(address: Address): boolean;
}

/**
 * The configuration after reuse as YAML: no variables, templates or patches, the same resources. Rendering it again gives the same text.
 * Secrets are named, and such as stand in clear where a secret belongs are left out.
 */
export function render(
  { desired, platform, rendered }: Pick<Configuration, 'desired' | 'platform' | 'rendered'>,
  options: RenderOptions = {},
): string {
  const { keep } = options;
  const parts = rendered();
  const sections = parts.sections
    .map(({ kind, section }) => ({
      kind,
      node: keep ? kept(kind, section, undefined, parts, keep) : section,
    }))
    .flatMap(({ kind, node }) => (node ? [entry(kind.section, node)] : []))
    .sort((a, b) => (a.key.text < b.key.text ? -1 : 1));
  if (keep) return printEntries(sections, options);
  const header = [
    entry('stack', nodeOf(desired.stack, nowhere)),
    ...(platform ? [entry('platform', nodeOf({ ...platform }, nowhere))] : []),
    ...(desired.allow ? [entry('$allow', nodeOf([...desired.allow], nowhere))] : []),
    ...(desired.owns ? [entry('owns', nodeOf([...desired.owns], nowhere))] : []),
    ...(parts.secrets.entries.length > 0 ? [entry('secrets', parts.secrets)] : []),
    ...(parts.lookups.size > 0 ? [entry('lookups', nodeOf(writtenLookups(parts.lookups), nowhere))] : []),
  ];
  return printEntries([...header, ...sections], options);
}

/** The parts of a configuration once all layers are laid. */
export interface Rendered {
  sections: Section[];
  secrets: MapNode;
  lookups: ReadonlyMap<string, LookupSource>;
  /** The sections in a block of a kind. */
  childrenOf(kind: Kind): readonly Kind[];
}

const writtenLookups = (lookups: ReadonlyMap<string, LookupSource>) =>
  Object.fromEntries(
    [...lookups].map(([name, { lookup, where }]) => [name, { [lookup]: Object.fromEntries(where) }]),
  );

const entry = (name: string, value: Node): Entry => ({
  key: { type: 'scalar', at: nowhere, text: name, value: name },
  value,
});

/** A section without what is not asked for; undefined if nothing is left. */
function kept(
  kind: Kind,
  section: Node,
  parent: Address | undefined,
  rendered: Rendered,
  keep: (address: Address) => boolean,
): Node | undefined {
  const inBlock = (node: Node, address: Address): Node | undefined => {
    if (keep(address)) return node;
    if (node.type !== 'map') return undefined;
    const children = new Map(rendered.childrenOf(kind).map((child) => [child.section, child]));
    const entries = node.entries.flatMap(({ key, value }) => {
      const child = children.get(key.text);
      const inner = child && kept(child, value, address, rendered, keep);
      return inner ? [{ key, value: inner }] : [];
    });
    return entries.length > 0 ? { ...node, entries } : undefined;
  };
  if (kind.key.length === 0) return inBlock(section, addressOf(parent, kind.section, []));
  if (section.type === 'map' && kind.yaml.mapBy !== undefined) {
    const entries = section.entries.flatMap(({ key, value }) => {
      const inner = inBlock(value, addressOf(parent, kind.section, keyNames(kind, key.text)));
      return inner ? [{ key, value: inner }] : [];
    });
    return entries.length > 0 ? { ...section, entries } : undefined;
  }
  if (section.type !== 'list') return undefined;
  const items = section.items.filter((item) => {
    const names = item.type === 'map' ? namesIn(kind, item) : [];
    return names.length === kind.key.length && keep(addressOf(parent, kind.section, names));
  });
  return items.length > 0 ? { ...section, items } : undefined;
}

/** The names of an item of a list, as far as they are written. */
const namesIn = (kind: Kind, { entries }: MapNode): string[] =>
  kind.key.flatMap((name) => {
    const value = entries.find(({ key }) => key.text === name)?.value;
    return value?.type === 'scalar' ? keyNames({ ...kind, key: [name] }, value.text) : [];
  });

/** True for an address at or below one that a glob matches. */
export const belowAny =
  (matches: (address: Address) => boolean) =>
  (address: Address): boolean => {
    const parts = address.split('/');
    return parts.some((_, i) => matches(parts.slice(0, i + 1).join('/')));
  };
