import type { DayTwo } from '../../kind/action.ts';
import type { Lookup } from '../../kind/lookup.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import type { LookupSource } from '../../model/resource.ts';
import type { Expand } from '../expressions/expand.ts';
import type { LookupNames } from '../expressions/scope.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describe, type Entry, isPoisoned, type Node } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

interface LookupOptions {
  lookups: DayTwo['lookups'];
  expand: Expand;
  diagnostics: Diagnostic[];
}

/** The declared lookups: which lookup of the platform each is, and what its object has to have. */
export interface DeclaredLookups extends LookupNames {
  sources: ReadonlyMap<string, LookupSource>;
}

const lookupExample = 'lookups: { live: { deployment: { project: web, target: production } } }';

/** Reads the sections `lookups:`. What is wrong is reported. */
export function readLookups(sections: Node[], options: LookupOptions): DeclaredLookups {
  const all = new Map<string, LookupSource>();
  const seen = new Set<string>();
  const say = (message: string, { at }: Node, hint?: string) =>
    void options.diagnostics.push(problem('config/lookup', message, { at: positionOf(at), hint }));
  for (const section of sections) {
    if (section.type !== 'map') {
      say(`\`lookups\` must be a map of names, not ${describe(section)}`, section, lookupExample);
      continue;
    }
    for (const { key, value } of section.entries) {
      if (seen.has(key.text))
        say(`the lookup ${quoted(key.text)} is declared twice`, key, 'keep one of the two');
      else if (!/^[\w-]+$/.test(key.text)) say(`${quoted(key.text)} is not a valid lookup name`, key);
      else {
        const read = readLookup(options.expand(value), options, say);
        if (read) all.set(key.text, read);
      }
      seen.add(key.text);
    }
  }
  return {
    sources: all,
    has: (name) => seen.has(name),
    names: () => [...seen],
    fields: (name) => {
      const declared = all.get(name);
      return declared && openFieldsOf(options.lookups.get(declared.lookup)!);
    },
    isMoving: (name) => options.lookups.get(all.get(name)?.lookup ?? '')?.moves !== undefined,
  };
}

type ReportLookup = (message: string, node: Node, hint?: string) => void;

/** The fields that can be named: what has the secret trait is not among them. */
export const openFieldsOf = ({ output }: Lookup): string[] =>
  Object.entries(output).flatMap(([name, schema]) => (traitsOf(schema).secret ? [] : [name]));

function readLookup(node: Node, { lookups }: LookupOptions, say: ReportLookup): LookupSource | undefined {
  if (isPoisoned(node)) return undefined;
  const [entry, more] = node.type === 'map' ? node.entries : [];
  if (!entry || more)
    return void say('a lookup must be a map with one lookup and its filters', node, lookupExample);
  const { key, value } = entry;
  const lookup = lookups.get(key.text);
  if (!lookup)
    return void say(
      `there is no lookup ${quoted(key.text)}`,
      key,
      hintFor(key.text, [...lookups.keys()]) ?? '`trueup get --list` lists all',
    );
  if (value.type !== 'map' && !(value.type === 'scalar' && value.value === null))
    return void say(`\`${key.text}\` must be a map, not ${describe(value)}`, value, lookupExample);
  const where = (value.type === 'map' ? value.entries : []).map((entry) => readFilter(lookup, entry, say));
  if (where.includes(undefined)) return undefined;
  return { lookup: key.text, where: where as [string, string][], at: positionOf(key.at) };
}

/** One thing that is asked for: what it is about, what the platform is asked, or what the object has to have. */
function readFilter(lookup: Lookup, { key, value }: Entry, say: ReportLookup): [string, string] | undefined {
  const { name, on, input } = lookup;
  // What is secret cannot be guessed at.
  const known = [...(on === undefined ? [] : [on]), ...Object.keys(input), ...openFieldsOf(lookup)];
  if (!known.includes(key.text))
    return void say(`\`${name}\` has no ${quoted(key.text)}`, key, hintFor(key.text, known, 'it has'));
  if (isPoisoned(value)) return undefined;
  if (value.type === 'scalar' && value.value !== null) return [key.text, value.text];
  return void say(`${quoted(key.text)} must be text, a number, true or false, not ${describe(value)}`, value);
}
