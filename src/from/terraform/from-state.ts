import type { ForeignFiles, ForeignObject, StateResource } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Label } from '../../kind/shape.ts';
import type { Address } from '../../model/address.ts';
import { groupBy } from '../../model/graph.ts';
import type { Live } from '../../model/resource.ts';
import { type Taken, toLive } from '../to-live.ts';
import type { State } from './read-state.ts';
import { type SecretLinks, secretLinks } from './secret-links.ts';

/** A state as an account that has only what Terraform owns. */
export interface FromState {
  live: Live;
  /** The addresses that the state owns: everything else in `live` is only named. */
  owned: ReadonlySet<Address>;
  /** The resource that an object comes from. */
  resourceOf: ReadonlyMap<Address, StateResource>;
  labels: ReadonlyMap<Address, Label>;
  /** The addresses of resources with secrets, and which these are. */
  secrets: { address: string; names: string[] }[];
  /** The variables that `$secretTo` of another object declares. */
  secretLinks: SecretLinks['links'];
  /** The parts that are not taken over, in sentences. */
  left: string[];
  /** The number of resources of each other provider. */
  others: ReadonlyMap<string, number>;
}

type Placed = ForeignObject & { from: StateResource };

/** Takes over the resources of one team (undefined: of no team), and tells what stays behind. */
export function fromState(
  { resources, deposed }: State,
  files: ForeignFiles,
  kinds: Kinds,
  team: string | undefined,
): FromState {
  const isOwn = ({ provider }: { provider: string }) => files.isOwnProvider(provider);
  const others = groupBy(
    resources.filter((one) => !one.isData && !isOwn(one)),
    ({ provider }) => provider,
  );
  const objects: Placed[] = [];
  const secrets: FromState['secrets'] = [];
  const left = deposed.map((address) => `${address}: Terraform was about to delete what it replaced`);
  for (const from of files.inOrder(resources.filter(isOwn))) {
    const belongsTo = files.teamOf(from);
    if (team !== undefined && belongsTo !== undefined && belongsTo !== team) {
      if (!from.isData) left.push(`${from.address}: it belongs to another team, ${belongsTo}`);
      continue;
    }
    const reading = files.read(from);
    if ('why' in reading) {
      if (!from.isData) left.push(`${from.address}: ${reading.why}`);
      continue;
    }
    objects.push(...reading.objects.map((one) => ({ ...one, from })));
    if (reading.secrets.length > 0) secrets.push({ address: from.address, names: reading.secrets });
    left.push(...reading.left.map((sentence) => `${from.address}: ${sentence}`));
  }
  const taken = toLive(objects, kinds);
  const unplaced = taken.left
    .filter(({ object }) => !object.isOnlyNamed)
    .map(({ object, why }) => `${object.from.address}: ${why}`);
  const resourceOf = new Map([...taken.sources].map(([address, [first]]) => [address, first!.from]));
  const secretsTo = secretLinks(taken.sources);
  return {
    live: taken.live,
    owned: new Set(taken.sources.keys()),
    resourceOf,
    labels: labelsOf(taken, resourceOf, kinds),
    secrets,
    secretLinks: secretsTo.links,
    left: [...left, ...new Set(unplaced), ...secretsTo.left],
    others: new Map([...others].map(([provider, of]) => [provider, of.length])),
  };
}

/** The teams that the resources name, those with most resources first. */
export function teamsIn({ resources }: State, files: ForeignFiles): string[] {
  const own = resources.filter((one) => !one.isData && files.isOwnProvider(one.provider));
  const byTeam = groupBy(
    own.flatMap((one) => files.teamOf(one) ?? []),
    (team) => team,
  );
  return [...byTeam].sort(([, a], [, b]) => b.length - a.length).map(([team]) => team);
}

/** The name in URLs of a team, where a resource or a data source tells it. */
export const slugIn = ({ resources }: State, files: ForeignFiles, team: string): string | undefined =>
  resources
    .filter(({ provider }) => files.isOwnProvider(provider))
    .map((one) => files.slugOf(one))
    .find((one) => one?.id === team)?.slug;

/**
 * Names for what the platform has no name for: those that Terraform has for it, `site-de` for `vercel_webhook.site["de"]`. Their ids say
 * which one is meant, whatever was changed since; what the file keeps as a secret is found by its fields.
 */
function labelsOf(
  { live: { resources }, sources }: Taken<Placed>,
  resourceOf: ReadonlyMap<Address, StateResource>,
  kinds: Kinds,
): Map<Address, Label> {
  const labels = new Map<Address, Label>();
  const unnamed = [...resources.values()]
    .flatMap((one) => one.alternatives ?? [one])
    .filter(({ address, kind }) => resourceOf.has(address) && !kinds.get(kind)!.shape.isNamed);
  for (const of of groupBy(unnamed, (one) => `${one.kind} ${one.parent ?? ''}`).values())
    for (const [text, same] of groupBy(of, ({ address }) => wordsOf(resourceOf.get(address)!)))
      for (const [index, one] of same.entries())
        labels.set(one.address, {
          text: index === 0 ? text : `${text}-${index + 1}`,
          needsId: !sources.get(one.address)?.some(({ hasMadeUpId }) => hasMadeUpId),
        });
  return labels;
}

const wordsOf = ({ name, key }: StateResource): string =>
  [name, ...(key === undefined ? [] : [String(key)])].map((word) => word.replace(/[^\w.-]+/g, '-')).join('-');
