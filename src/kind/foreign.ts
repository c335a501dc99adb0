import type { Sealed } from '../model/sealed.ts';
import type { ApiObject } from './read.ts';

/** A resource, or a data source, of a Terraform state, as the platform's own provider wrote it. */
export interface StateResource {
  /** The address in Terraform: `module.shop.vercel_project.site["de"]` */
  address: string;
  /** The module: `module.shop`, or '' in the root. */
  module: string;
  type: string;
  name: string;
  /** The key of an instance of a `for_each`, or the number of one of a `count`. */
  key?: string | number;
  isData: boolean;
  /** The attributes as in the state, without those that Terraform marks as sensitive. */
  attributes: Readonly<Record<string, unknown>>;
  /** The paths of the sensitive attributes, with dots. */
  sensitive: readonly string[];
}

/**
 * An object of the account as a file of another tool describes it, in the form of the platform's answers. `trueup from` turns it into
 * configuration.
 */
export interface ForeignObject {
  kind: string;
  /** The parent of the object, by its id. */
  in?: { kind: string; id: string };
  object: ApiObject;
  /** True if the file only names the object: it has to exist, and is not taken over. */
  isOnlyNamed?: true;
  /** True for a few fields of an object that is described elsewhere in the file: only these fields are taken over. */
  isPart?: true;
  /** True if the file sets each field that it contains on purpose. A field with the platform's usual value is then declared too. */
  isWhole?: true;
  /** True if the file lacks the id, or hides it as a secret. The id here is invented, and is never written. */
  hasMadeUpId?: true;
  /** The secrets that the creation of the object showed once, as far as the file has them. */
  shown?: ShownText[];
  /** The value of a variable. It is compared with the secrets that creations showed, and is never written. */
  secretValue?: Sealed | undefined;
  /** True if its value is no secret, so that the configuration gets it. */
  isPublic?: true;
}

/** A secret text in a file of another tool, and the `value` of `$secretTo` that stands for it in the configuration. */
export interface ShownText {
  text: Sealed;
  /** For example `https://edge-config.example/${id}?token=${secret}`. */
  value: string;
}

/** The result of reading one resource. */
export interface StateReading {
  objects: ForeignObject[];
  /** The secrets, which stay in their present place: attributes of the resource by path, or names of variables. */
  secrets: string[];
  /** Sentences about the parts of the resource that could not be taken over. */
  omissions: string[];
}

/** A record of a zone, in the words of zone files. */
export interface ZoneRecord {
  /** The name relative to the zone; `@` for the zone itself. */
  name: string;
  type: string;
  /** In seconds. */
  ttl?: number | undefined;
  /** The fields of its data in their order: texts without quotes, hosts absolute with a final dot, service parameters as written. */
  data: string[];
}

/**
 * The readers that turn files of other tools (Terraform states, zone files) into objects of a platform's account. Each provider has its
 * own.
 */
export interface ForeignFiles {
  /** True for the source address of this platform's own Terraform provider. */
  isOwnProvider(source: string): boolean;
  /** Returns the id of the team to which a resource belongs; undefined if the resource has none. */
  teamOf(resource: StateResource): string | undefined;
  /** Returns a team's name in URLs with its id, if the resource contains them. */
  slugOf(resource: StateResource): { id: string; slug: string } | undefined;
  /** Sorts resources as the account orders their objects, as far as the resources show it. */
  inOrder<T extends StateResource>(resources: readonly T[]): T[];
  /** Reads one resource. `why`: the reason, for people, why it cannot be taken over, such as a type without a counterpart. */
  read(resource: StateResource): StateReading | { why: string };
  /** Returns the object for a DNS zone. */
  zone(name: string): ForeignObject;
  /** Returns the object for a DNS record, or a sentence that says why there can be none. `id`: an invented id. */
  record(zone: string, record: ZoneRecord, id: string): ForeignObject | { why: string };
}
