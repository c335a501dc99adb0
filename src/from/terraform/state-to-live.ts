import type { ForeignFiles, ForeignObject, StateResource } from '../../kind/foreign.ts';
import type { Kinds, Label } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { InexactNumber } from '../../model/exact-number.ts';
import { addTo, groupBy } from '../../model/graph.ts';
import type { Live } from '../../model/resource.ts';
import type { LeftOutItem } from '../tally.ts';
import { type ConvertedObjects, toLiveObjects } from '../to-live.ts';
import { omitPublicNames, withPublicValues } from './public-values.ts';
import type { State } from './read-state.ts';
import { findSecretLinks, type SecretLinks } from './secret-links.ts';

/** A state as an account that has only what Terraform owns. */
export interface StateAsLive {
  live: Live;
  /** The addresses that the state owns: everything else in `live` is only named. */
  owned: ReadonlySet<Address>;
  /** The resource that an object comes from. */
  resourceOf: ReadonlyMap<Address, StateResource>;
  labels: ReadonlyMap<Address, Label>;
  /** The addresses of resources with secrets, and which these are. */
  secrets: { address: string; names: string[] }[];
  /** The addresses of resources with values that are no secrets, because of the names of their variables, and these names. */
  publicValues: { address: string; names: string[] }[];
  /** True for a variable whose value is no secret. */
  isPublic(address: Address): boolean;
  /** The variables that `$secretTo` of another object declares. */
  secretLinks: SecretLinks['links'];
  /** The parts of resources that are not converted, in sentences. */
  partialNotes: string[];
  /** The resources of the platform's provider, without data sources. */
  managed: readonly StateResource[];
  /** Why a resource is not converted at all. */
  reasons: ReadonlyMap<StateResource, string>;
  /** The addresses of the objects that a resource owns. */
  addressesOf: ReadonlyMap<StateResource, Address[]>;
  deposed: LeftOutItem[];
  /** True for an object whose usual values are declared, too. */
  writesUsualValues(address: Address): boolean;
  /** The number of resources of each other provider. */
  otherProviders: ReadonlyMap<string, number>;
}

type Placed = ForeignObject & { from: StateResource };

/** Takes over the resources of one team (undefined: of no team), and says why the others are left out. */
export function stateToLive(
  { resources, deposed }: State,
  files: ForeignFiles,
  kinds: Kinds,
  team: string | undefined,
): StateAsLive {
  const isOwn = ({ provider }: { provider: string }) => files.isOwnProvider(provider);
  const group = groupBy(
    resources.filter((resource) => !resource.isData && !isOwn(resource)),
    ({ provider }) => provider,
  );
  const foundResources = resources.filter(isOwn);
  const objects: Placed[] = [];
  const secretNames = new Map<StateResource, string[]>();
  const partial: string[] = [];
  const reasons = new Map<StateResource, string>();
  for (const from of files.inOrder(foundResources)) {
    const reading = readResource(from, files, team);
    if ('why' in reading) {
      reasons.set(from, reading.why);
      continue;
    }
    objects.push(...reading.objects.map((object) => ({ ...object, from })));
    if (reading.secrets.length > 0) secretNames.set(from, reading.secrets);
    if (reading.objects.some(({ isOnlyNamed }) => !isOnlyNamed))
      partial.push(...reading.omissions.map((sentence) => `${from.address}: ${sentence}`));
    else reasons.set(from, reading.omissions.join('; ') || 'it declares nothing');
  }
  const withValues = withPublicValues(objects);
  const publicOf = groupBy(
    withValues.filter(({ isPublic }) => isPublic),
    ({ from }) => from,
  );
  const live = toLiveObjects(withValues, kinds);
  const addressesOf = new Map<StateResource, Address[]>();
  for (const [address, sources] of live.sources)
    for (const { from } of sources) addTo(addressesOf, from, address);
  for (const { object, why } of live.leftOut) {
    if (object.isOnlyNamed) continue;
    if (addressesOf.has(object.from)) partial.push(`${object.from.address}: ${why}`);
    else reasons.set(object.from, why);
  }
  const resourceOf = new Map([...live.sources].map(([address, [first]]) => [address, first!.from]));
  const secretsTo = findSecretLinks(live.sources);
  return {
    live: live.live,
    owned: new Set(live.sources.keys()),
    resourceOf,
    labels: labelsOf(live, resourceOf, kinds),
    secrets: [...secretNames]
      .map(([from, names]) => ({
        address: from.address,
        names: omitPublicNames(names, publicOf.get(from) ?? []),
      }))
      .filter(({ names }) => names.length > 0),
    publicValues: [...publicOf].map(([from, variables]) => ({
      address: from.address,
      names: variables.map(({ object: { key } }) => String(key)),
    })),
    isPublic: (address) => live.sources.get(address)?.every(({ isPublic }) => isPublic) ?? false,
    secretLinks: secretsTo.links,
    partialNotes: [...new Set(partial), ...secretsTo.unlinked],
    managed: foundResources.filter(({ isData }) => !isData),
    reasons,
    addressesOf,
    deposed: deposed.map((address) => ({
      name: address,
      reason: 'Terraform was about to delete what it replaced',
      count: 1,
    })),
    writesUsualValues: (address) => live.sources.get(address)?.some(({ isWhole }) => isWhole) ?? false,
    otherProviders: new Map([...group].map(([provider, of]) => [provider, of.length])),
  };
}

/** Reads one resource, or says why it cannot be converted. */
function readResource(
  from: StateResource,
  files: ForeignFiles,
  team: string | undefined,
): ReturnType<ForeignFiles['read']> {
  const owner = files.teamOf(from);
  if (team !== undefined && owner !== undefined && owner !== team)
    return { why: `it belongs to another team, ${owner}` };
  const inexact = inexactPath(from.attributes);
  return inexact === undefined
    ? files.read(from)
    : { why: `\`${inexact}\` is a number with more digits than a configuration can hold` };
}

/** The path of the first number in a value that would be rounded. */
function inexactPath(value: unknown, path: readonly string[] = []): string | undefined {
  if (value instanceof InexactNumber) return path.join('.');
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = inexactPath(inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The teams that the resources name, those with most resources first. */
export function findTeams({ resources }: State, files: ForeignFiles): string[] {
  const foundResources = resources.filter(
    (resource) => !resource.isData && files.isOwnProvider(resource.provider),
  );
  const byTeam = groupBy(
    foundResources.flatMap((foundResource) => files.teamOf(foundResource) ?? []),
    (team) => team,
  );
  return [...byTeam].sort(([, a], [, b]) => b.length - a.length).map(([team]) => team);
}

/** The name in URLs of a team, where a resource or a data source tells it. */
export const findTeamSlug = ({ resources }: State, files: ForeignFiles, team: string): string | undefined =>
  resources
    .filter(({ provider }) => files.isOwnProvider(provider))
    .map((resource) => files.slugOf(resource))
    .find((one) => one?.id === team)?.slug;

/**
 * Names for what the platform has no name for: those that Terraform has for it, `site-de` for `vercel_webhook.site["de"]`. Their ids say
 * which one is meant, whatever was changed since; what the file keeps as a secret is found by its fields.
 */
function labelsOf(
  { live: { resources }, sources }: ConvertedObjects<Placed>,
  resourceOf: ReadonlyMap<Address, StateResource>,
  kinds: Kinds,
): Map<Address, Label> {
  const labels = new Map<Address, Label>();
  const unnamed = [...resources.values()]
    .flatMap((resource) => resource.alternatives ?? [resource])
    .filter(({ address, kind }) => resourceOf.has(address) && !kinds.get(kind)!.shape.isNamed);
  for (const of of groupBy(unnamed, (resource) => `${resource.kind} ${resource.parent ?? ''}`).values())
    for (const [text, same] of groupBy(of, ({ address }) => stateNameWordsOf(resourceOf.get(address)!)))
      for (const [index, one] of same.entries())
        labels.set(one.address, {
          text: index === 0 ? text : `${text}-${index + 1}`,
          needsId: !sources.get(one.address)?.some(({ hasMadeUpId }) => hasMadeUpId),
        });
  return labels;
}

const stateNameWordsOf = ({ name, key }: StateResource): string =>
  [name, ...(key === undefined ? [] : [String(key)])].map((word) => word.replace(/[^\w.-]+/g, '-')).join('-');
