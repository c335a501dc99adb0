import type { ForeignFiles, ForeignObject, StateResource } from '../../kind/foreign.ts';
import type { Kinds, Label } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { addTo, groupBy } from '../../model/graph.ts';
import { InexactNumber } from '../../model/read-json.ts';
import type { Live } from '../../model/resource.ts';
import type { LeftOutItem } from '../tally.ts';
import { type ConvertedObjects, toLiveObjects } from '../to-live.ts';
import type { State } from './read-state.ts';
import { findSecretLinks, omitPublicNames, type SecretLinks, withPublicValues } from './secret-links.ts';

/** A Terraform state as an account that has only the objects in the state. */
export interface StateAsLive {
  live: Live;
  /** The addresses of the objects that the state owns. Other objects in `live` are only mentioned, as the parent of an owned one. */
  owned: ReadonlySet<Address>;
  /** The resource of the state that each object comes from. */
  resourceOf: ReadonlyMap<Address, StateResource>;
  /** Names for objects that have none on the platform. */
  labels: ReadonlyMap<Address, Label>;
  /** The addresses of resources with secrets, and the names of these secrets. */
  secrets: { address: string; names: string[] }[];
  /** The addresses of resources with variables whose values are public because of their names, and these names. */
  publicValues: { address: string; names: string[] }[];
  /** True for a variable whose value is no secret. */
  isPublic(address: Address): boolean;
  /** The variables that `$secretTo` of another object declares. */
  secretLinks: SecretLinks['links'];
  /** The parts of resources that are not converted, in sentences. */
  partialNotes: string[];
  /** The resources of the platform's provider, without data sources. */
  managed: readonly StateResource[];
  /** The reasons for resources that are not converted at all. */
  reasons: ReadonlyMap<StateResource, string>;
  /** The addresses of the objects that each resource owns. */
  addressesOf: ReadonlyMap<StateResource, Address[]>;
  /** The objects that Terraform was about to delete. */
  deposed: LeftOutItem[];
  /** True for an object whose fields are declared even if they equal the platform's defaults. */
  writesUsualValues(address: Address): boolean;
  /** The number of resources of each other provider. */
  otherProviders: ReadonlyMap<string, number>;
}

/** An object of the platform, with the resource of the state that it comes from. */
type SourcedObject = ForeignObject & { from: StateResource };

/** The objects in the resources of a state, and the resources and parts that are not converted. */
interface ReadResources {
  objects: SourcedObject[];
  secretNames: Map<StateResource, string[]>;
  partialNotes: string[];
  reasons: Map<StateResource, string>;
}

/**
 * Converts the platform's resources in a Terraform state to live objects, so that `trueup from terraform` can export them as a
 * configuration. Also returns facts for the export (names for objects without one, links from variables to secrets, public values) and for
 * the report (parts and resources that are not converted). `team`: the team whose resources are converted, with those that name no team; if
 * it is undefined, those of all teams are.
 */
export function stateToLive(
  { resources, deposed }: State,
  files: ForeignFiles,
  kinds: Kinds,
  team: string | undefined,
): StateAsLive {
  const ownResources = resources.filter(({ provider }) => files.isOwnProvider(provider));
  const otherResources = resources.filter(
    ({ provider, isData }) => !isData && !files.isOwnProvider(provider),
  );
  const read = readResources(ownResources, files, team);
  const objects = withPublicValues(read.objects);
  // `sources`: for each address, the objects in the state that it was made from.
  const converted = toLiveObjects(objects, kinds);
  const { live, sources } = converted;
  const addressesOf = new Map<StateResource, Address[]>();
  for (const [address, objectsAtAddress] of sources)
    for (const { from } of objectsAtAddress) addTo(addressesOf, from, address);
  // About objects that could be read but not converted, for example because they have no name. `read` has the notes about all others.
  const leftOut = describeLeftOut(converted.leftOut, addressesOf);
  const resourceOf = new Map([...sources].map(([address, [first]]) => [address, first!.from]));
  const { links, unlinked } = findSecretLinks(sources);
  return {
    live,
    owned: new Set(sources.keys()),
    resourceOf,
    labels: createLabels(converted, resourceOf, kinds),
    ...listValueNames(read.secretNames, objects),
    isPublic: (address) => sources.get(address)?.every(({ isPublic }) => isPublic) ?? false,
    secretLinks: links,
    partialNotes: [...new Set([...read.partialNotes, ...leftOut.partialNotes]), ...unlinked],
    managed: ownResources.filter(({ isData }) => !isData),
    reasons: new Map([...read.reasons, ...leftOut.reasons]),
    addressesOf,
    deposed: deposed.map((address) => ({
      name: address,
      reason: 'Terraform was about to delete what it replaced',
      count: 1,
    })),
    // Of a whole object, the state sets each field on purpose.
    writesUsualValues: (address) => sources.get(address)?.some(({ isWhole }) => isWhole) ?? false,
    otherProviders: countByProvider(otherResources),
  };
}

/**
 * Returns the reports about objects of a Terraform state that could not be converted. A resource is lost, with a reason, only if none of
 * its objects was converted (it is not in `addressesOf`); otherwise there is a note about the part. Objects that the state only names do
 * not count.
 */
function describeLeftOut(
  leftOut: ConvertedObjects<SourcedObject>['leftOut'],
  addressesOf: ReadonlyMap<StateResource, Address[]>,
): Pick<ReadResources, 'partialNotes' | 'reasons'> {
  const owned = leftOut.filter(({ object }) => !object.isOnlyNamed);
  const parts = owned.filter(({ object }) => addressesOf.has(object.from));
  const wholes = owned.filter(({ object }) => !addressesOf.has(object.from));
  return {
    partialNotes: parts.map(({ object, why }) => `${object.from.address}: ${why}`),
    reasons: new Map(wholes.map(({ object, why }) => [object.from, why])),
  };
}

/**
 * Lists for the report the names of the secrets in each resource of a Terraform state, and of its variables whose values are public because
 * of their names. `secretNames`: everything that the state marks as secret, also public variables.
 */
function listValueNames(
  secretNames: ReadonlyMap<StateResource, string[]>,
  objects: readonly SourcedObject[],
): Pick<StateAsLive, 'secrets' | 'publicValues'> {
  const publicObjects = groupBy(
    objects.filter(({ isPublic }) => isPublic),
    ({ from }) => from,
  );
  const secrets = [...secretNames].map(([from, names]) => ({
    address: from.address,
    names: omitPublicNames(names, publicObjects.get(from) ?? []),
  }));
  const publicValues = [...publicObjects].map(([from, variables]) => ({
    address: from.address,
    names: variables.map(({ object: { key } }) => String(key)),
  }));
  return { secrets: secrets.filter(({ names }) => names.length > 0), publicValues };
}

/** Returns the number of resources of each provider. */
const countByProvider = (resources: State['resources']): Map<string, number> =>
  new Map(
    [...groupBy(resources, ({ provider }) => provider)].map(([provider, group]) => [provider, group.length]),
  );

/**
 * Reads the objects in the resources and data sources of a Terraform state that belong to the platform's provider, with
 * the names of their secrets. Also collects what `trueup from terraform` reports as not converted: `partialNotes` about
 * parts of a resource, and `reasons` for whole resources.
 *
 * A resource counts as not converted if it cannot be read, or if it only names objects (`isOnlyNamed`: they have to
 * exist, but are not taken over). In the latter case its omissions are the reason; otherwise each omission is a note
 * about a part.
 */
function readResources(
  resources: readonly StateResource[],
  files: ForeignFiles,
  team: string | undefined,
): ReadResources {
  const objects: SourcedObject[] = [];
  const secretNames = new Map<StateResource, string[]>();
  const partialNotes: string[] = [];
  const reasons = new Map<StateResource, string>();
  for (const from of files.inOrder(resources)) {
    const reading = readResource(from, files, team);
    if ('why' in reading) {
      reasons.set(from, reading.why);
      continue;
    }
    objects.push(...reading.objects.map((object) => ({ ...object, from })));
    if (reading.secrets.length > 0) secretNames.set(from, reading.secrets);
    if (reading.objects.some(({ isOnlyNamed }) => !isOnlyNamed))
      partialNotes.push(...reading.omissions.map((sentence) => `${from.address}: ${sentence}`));
    else reasons.set(from, reading.omissions.join('; ') || 'it declares nothing');
  }
  return { objects, secretNames, partialNotes, reasons };
}

/**
 * Reads the objects in one resource of a Terraform state, or returns the reason why `trueup from` cannot convert it: it is in another team
 * than `team`, has a number that would be rounded, or cannot be converted for a reason of `ForeignFiles.read`, such as its type.
 */
function readResource(
  from: StateResource,
  files: ForeignFiles,
  team: string | undefined,
): ReturnType<ForeignFiles['read']> {
  const owner = files.teamOf(from);
  if (team !== undefined && owner !== undefined && owner !== team)
    return { why: `it belongs to another team, ${owner}` };
  const inexactPath = findInexactPath(from.attributes);
  return inexactPath === undefined
    ? files.read(from)
    : { why: `\`${inexactPath}\` is a number with more digits than a configuration can hold` };
}

/**
 * Returns the path of the first number in a resource of a Terraform state that would be rounded; undefined if there is none. `trueup from`
 * leaves out such a resource, because an apply of the rounded number would change the account.
 */
function findInexactPath(value: unknown, path: readonly string[] = []): string | undefined {
  if (value instanceof InexactNumber) return path.join('.');
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const innerPath = findInexactPath(inner, [...path, name]);
    if (innerPath !== undefined) return innerPath;
  }
  return undefined;
}

/**
 * Returns the teams in a Terraform state, those with most resources first. `trueup from terraform` converts one team, so the user chooses
 * with `--team` if there are several.
 */
export function findTeams({ resources }: State, files: ForeignFiles): string[] {
  const teams = resources
    .filter((resource) => !resource.isData && files.isOwnProvider(resource.provider))
    .flatMap((resource) => files.teamOf(resource) ?? []);
  const byTeam = groupBy(teams, (team) => team);
  return [...byTeam].sort(([, a], [, b]) => b.length - a.length).map(([team]) => team);
}

/** Returns the name of a team in URLs, for the header of the configuration; undefined if no resource or data source has it. */
export const findTeamSlug = ({ resources }: State, files: ForeignFiles, team: string): string | undefined =>
  resources
    .filter(({ provider }) => files.isOwnProvider(provider))
    .map((resource) => files.slugOf(resource))
    .find((slug) => slug?.id === team)?.slug;

/**
 * Returns names for objects of a Terraform state that have none on the platform, such as webhooks: those of their resources, `site-de` for
 * `vercel_webhook.site["de"]`, with a number if several objects of one list would have the same. `needsId`: true if the block gets an
 * `$id`, so that it means the same object after the object was changed. It gets none if the state does not contain the id (`hasMadeUpId`).
 */
function createLabels(
  { live: { resources }, sources }: ConvertedObjects<SourcedObject>,
  resourceOf: ReadonlyMap<Address, StateResource>,
  kinds: Kinds,
): Map<Address, Label> {
  const unnamed = [...resources.values()]
    .flatMap((resource) => resource.alternatives ?? [resource])
    .filter(({ address, kind }) => resourceOf.has(address) && !kinds.get(kind)!.shape.isNamed);
  const collections = groupBy(unnamed, ({ kind, parent }) => `${kind} ${parent ?? ''}`);
  const labels = [...collections.values()].flatMap((collection) => {
    const objectsByLabel = groupBy(collection, ({ address }) => formatLabel(resourceOf.get(address)!));
    return [...objectsByLabel].flatMap(([label, objects]) =>
      objects.map(({ address }, index): [Address, Label] => {
        const hasId = !sources.get(address)?.some(({ hasMadeUpId }) => hasMadeUpId);
        return [address, { text: index === 0 ? label : `${label}-${index + 1}`, needsId: hasId }];
      }),
    );
  });
  return new Map(labels);
}

/** Returns a label from the name and the key of a resource. */
const formatLabel = ({ name, key }: StateResource): string =>
  [name, ...(key === undefined ? [] : [String(key)])].map((word) => word.replace(/[^\w.-]+/g, '-')).join('-');
