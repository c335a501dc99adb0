import type { Endpoint } from '../model/request.ts';
import type { FieldSchemas } from './kind.ts';
import type { ApiObject } from './read.ts';

/** The input of an action or a lookup: names and values in the form of the schema. */
export type Input = Record<string, unknown>;

/** The values of a field that mean that some work is finished. Used to wait for the work that an action starts. */
export interface End {
  field: string;
  reached: readonly string[];
  /** The values that mean that the work ended in another way than expected. */
  ended: readonly string[];
}

/** The declaration of something in the account that is only read. */
export interface Lookup {
  name: string;
  /** One sentence for the manual. */
  doc: string;
  /** The part of the platform that it belongs to: its heading in lists. */
  area: string;
  /**
   * The operation in the spelling of the catalog. Its placeholders are names of kinds (`{project}`) and of inputs. A parameter of the query
   * without a value is left out. A POST is allowed if it only reads.
   */
  endpoint: Endpoint;
  /**
   * The kind of the object that it is about. If the path of the endpoint has the kind, an ADDRESS is required; if the query has it,
   * optional.
   */
  on?: string;
  /** The member of the answer with the list; '' if the answer is the list. Absent if the answer has one object. */
  items?: string;
  /** The member of the answer with the only object. */
  item?: string;
  /**
   * The endpoint that reads one object of the list. Its `key` fills `{id}`. `within`: the member of the object with the id of the object
   * that the lookup is about, if the endpoint does not name that.
   */
  single?: { endpoint: Endpoint; item?: string; within?: string };
  /** The field that identifies the objects of a list, which NAME refers to. */
  key?: string;
  /**
   * The inputs besides those that the endpoint names. They go into the query if the catalog has such a parameter, otherwise into the body.
   */
  input: FieldSchemas;
  /** The members of an object that are printed. No other member can be selected, and a secret field is never shown. */
  output: FieldSchemas;
  /** Returns an object of the answer in the form of `output`. Default: its members of the same names. */
  decode?(object: ApiObject): Input;
  /** The columns of a table. Default: all fields. */
  columns?: readonly string[];
  /** Who can change the value without a change of the configuration. No field may then depend on it, or plans would never be empty. */
  moves?: readonly ('actions' | 'pushes' | 'visitors')[];
  /** For objects that show unfinished work. */
  end?: End;
}

/** A lookup as its file declares it: its schemas are made on first use. */
interface LookupDeclaration extends Omit<Lookup, 'input' | 'output' | 'area'> {
  input?(): FieldSchemas;
  output(): FieldSchemas;
}

/** Declares a lookup; see `Lookup`. Its schemas are made on first use. Called by each file of lookups of a provider. */
export const defineLookup = (declaration: LookupDeclaration): Omit<Lookup, 'area'> =>
  withSchemas(declaration, {
    input: declaration.input ?? (() => ({})),
    output: declaration.output,
  });

/**
 * Replaces functions of a declaration (of a kind, action or lookup) that make schemas by getters that make them on first use, so that
 * commands start fast: most runs need few of them.
 */
export function withSchemas<D extends object, Name extends string>(
  declaration: D,
  makers: Record<Name, () => FieldSchemas>,
): Omit<D, Name> & Record<Name, FieldSchemas> {
  const copy = { ...declaration };
  for (const [name, make] of Object.entries<() => FieldSchemas>(makers)) {
    const property = { enumerable: true, configurable: true };
    Object.defineProperty(copy, name, {
      ...property,
      // Not on `copy`, because `load-on-use.ts` moves the getter to another object.
      get(this: object) {
        const value = make();
        Object.defineProperty(this, name, { ...property, value });
        return value;
      },
    });
  }
  return copy as Omit<D, Name> & Record<Name, FieldSchemas>;
}
