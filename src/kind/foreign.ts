import type { Sealed } from '../model/sealed.ts';
import type { ApiObject } from './read.ts';

/** A resource, or a data source, of a Terraform state, as the platform's own provider wrote it. */
export interface StateResource {
  /** `module.shop.vercel_project.site["de"]` */
  address: string;
  /** `module.shop`, or '' in the root. */
  module: string;
  type: string;
  name: string;
  /** The key of an instance of a `for_each`, the number of one of a `count`. */
  key?: string | number;
  isData: boolean;
  /** As in the state; what Terraform marks as sensitive is not among them. */
  attributes: Readonly<Record<string, unknown>>;
  /** The paths that were sensitive, with dots. */
  sensitive: readonly string[];
}

/** An object of the account as a foreign file tells it, in the form of the platform's answers. */
export interface ForeignObject {
  kind: string;
  /** The object that it is in, by its id. */
  in?: { kind: string; id: string };
  object: ApiObject;
  /** The file only names it: it has to exist, and is not taken over. */
  isOnlyNamed?: true;
  /** A few fields of an object that is described elsewhere in the file: only these are taken over. */
  isPart?: true;
  /** The file means each field that it says: one with the platform's usual value is declared, too. */
  isWhole?: true;
  /** The file hides its id as a secret. The id here is made up, and is written nowhere. */
  hasMadeUpId?: true;
  /** What its creation showed once, as far as the file has it: each text with the `value` of `$secretTo` that stands for it. */
  shown?: ShownText[];
  /** The value of a variable. It is compared with what creations showed, and written nowhere. */
  secretValue?: Sealed | undefined;
  /** Its value is no secret, and the configuration gets it. */
  isPublic?: true;
}

export interface ShownText {
  text: Sealed;
  /** `https://edge-config.example/${id}?token=${secret}` */
  value: string;
}

/** The result of reading one resource. */
export interface StateReading {
  objects: ForeignObject[];
  /** The secrets, which stay where they are: attributes of the resource by path, or names of variables. */
  secrets: string[];
  /** Sentences about what of the resource could not be taken over. */
  omissions: string[];
}

/** A record of a zone, in the words of zone files. */
export interface ZoneRecord {
  /** `@` for the zone itself, else relative to it. */
  name: string;
  type: string;
  /** In seconds. */
  ttl?: number | undefined;
  /** The fields of its data in their order: texts without quotes, hosts absolute with a final dot, service parameters as written. */
  data: string[];
}

/** Readers that turn files of other tools into objects of a platform's account. */
export interface ForeignFiles {
  /** Recognizes this platform's Terraform provider by its source address. */
  isOwnProvider(source: string): boolean;
  /** The id of the team that a resource belongs to; undefined where it does not say. */
  teamOf(resource: StateResource): string | undefined;
  /** The name that a team has in URLs, by its id, where one of the resources tells it. */
  slugOf(resource: StateResource): { id: string; slug: string } | undefined;
  /** The resources in the account's order of the objects that they become, as far as they tell. */
  inOrder<T extends StateResource>(resources: readonly T[]): T[];
  /** Reads one resource. Undefined if the platform has no counterpart for it here. */
  read(resource: StateResource): StateReading | { why: string };
  /** A zone, with the object for its record or a sentence that says why there can be none. */
  zone(name: string): ForeignObject;
  record(zone: string, record: ZoneRecord, id: string): ForeignObject | { why: string };
}
