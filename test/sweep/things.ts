import { stringify } from 'yaml';

/** An object of a stack: a record, a variable or a domain of the shared project, or a project of its own. */
export interface Thing {
  sort: 'record' | 'variable' | 'domain' | 'project';
  name: string;
  value: number;
  was?: string;
  from?: string;
  handover?: string;
  /** The block is gone, and `removed` says to delete or to release it. */
  removed?: 'delete' | 'release';
}

export const sorts: Thing['sort'][] = ['record', 'variable', 'domain', 'project'];

/** The things that a stack declares, by name. */
export type Configuration = Map<string, Thing>;

/** Returns the `$was` of a thing that gets another name. A domain cannot be renamed. */
export const formerName = ({ sort, name }: Thing): Pick<Thing, 'was'> =>
  sort === 'domain' ? {} : { was: sort === 'record' ? `${name}/A` : name };

/** Returns the name of the `number`th thing. */
export const nameOf = (sort: Thing['sort'], number: number): string => {
  const name = `${sort === 'variable' ? 'V' : 'x'}${number}`;
  return sort === 'domain' ? `${name}.example.org` : name;
};

export const frameworkOf = ({ value }: Thing): string => ['vite', 'astro', 'nextjs'][value % 3]!;

const addressOfThing = ({ sort, name }: Thing): string =>
  ({
    project: `projects/${name}`,
    variable: `projects/site/env/${name}`,
    domain: `projects/site/domains/${name}`,
    record: `domains/example.com/records/${name}/A`,
  })[sort];

/**
 * Returns the configuration of a stack below its header. One stack owns the project `site`, which holds the variables and domains of all.
 * `linked`: projects of other stacks that a shared variable of this one, `link`, is linked to.
 */
export function bodyOf(
  things: readonly Thing[],
  { ownsSite, link, linked = [] }: { ownsSite: boolean; link?: string; linked?: readonly string[] },
): string {
  const meta = ({ was, from, handover }: Thing) => ({
    ...(was === undefined ? {} : { $was: was }),
    ...(from === undefined ? {} : { $from: from }),
    ...(handover === undefined ? {} : { $handover: handover }),
  });
  const ofSort = (sort: Thing['sort']) => things.filter((thing) => thing.sort === sort && !thing.removed);
  const removed = things
    .filter((thing) => thing.removed)
    .map((thing) => ({ at: addressOfThing(thing), delete: thing.removed === 'delete' }));
  const named = (sort: Thing['sort'], block: (thing: Thing) => object) =>
    Object.fromEntries(ofSort(sort).map((thing) => [thing.name, { ...block(thing), ...meta(thing) }]));
  return stringify({
    ...(removed.length === 0 ? {} : { removed }),
    domains: {
      'example.com': {
        $existing: true,
        records: ofSort('record').map((thing) => ({
          type: 'A',
          name: thing.name,
          value: `192.0.2.${thing.value}`,
          ...meta(thing),
        })),
      },
    },
    projects: {
      site: {
        ...(ownsSite ? { framework: 'vite' } : { $existing: true }),
        env: named('variable', ({ value }) => ({ value: `v${value}`, target: ['preview'] })),
        domains: named('domain', () => ({})),
      },
      ...Object.fromEntries(linked.map((name) => [name, { $existing: true }])),
      ...named('project', (thing) => ({ framework: frameworkOf(thing) })),
    },
    ...(link === undefined
      ? {}
      : { sharedEnv: { [link]: { value: 'shared', target: ['production'], projectId: linked } } }),
  });
}
