import type { Endpoint } from '../model/request.ts';
import type { ApiObject, FieldSchemas } from './kind.ts';

/** The input of an action or a lookup, given or found: names and values in the form of the schema. */
export type Input = Record<string, unknown>;

/** The values of one field that say that something in motion has come to rest. */
export interface End {
  field: string;
  reached: readonly string[];
  /** It came to rest as something else than what was waited for. */
  ended: readonly string[];
}

/** Something of the account that is only read. */
export interface Lookup {
  name: string;
  /** One sentence for the manual. */
  doc: string;
  /** The part of the platform that it belongs to: the heading that it stands under. */
  area: string;
  /**
   * The operation as the catalog has it, with the names of kinds (`{project}`) and of inputs in place of its placeholders. A parameter of
   * the query whose value is not known is left out. A POST is one that only reads.
   */
  endpoint: Endpoint;
  /** The kind whose object it is about. In the path it has to be named, in the query it may be. */
  on?: string;
  /** A list: the member of the answer that holds it, '' where the answer is the list. Without it the answer has one object. */
  items?: string;
  /** The member of an answer that holds the one object. */
  item?: string;
  /** Reads one of the list by its `key`: `{id}` is what was asked for. */
  one?: { endpoint: Endpoint; item?: string };
  /** The field that tells the objects of a list apart: what a NAME means. */
  key?: string;
  /** The inputs beside those that the endpoint names: they go into the query if the catalog has such a parameter, else into the body. */
  input: FieldSchemas;
  /** The members of an object that are told. Nothing else can be named, and a field with the secret trait is never shown. */
  output: FieldSchemas;
  /** The object of an answer as `output` has it; by default its members of the same names. */
  decode?(object: ApiObject): Input;
  /** The fields of a table, where they are not all. */
  columns?: readonly string[];
  /** Causes of change beside whoever configures the account: such a value stands in no field of a configuration, or nothing would come to rest. */
  moves?: readonly ('actions' | 'pushes' | 'visitors')[];
  /** For what is in motion. */
  end?: End;
}

interface LookupDeclaration extends Omit<Lookup, 'input' | 'output' | 'area'> {
  input?(): FieldSchemas;
  output(): FieldSchemas;
}

/** Declares a lookup; see `Lookup`. Its schemas are made when something asks for them first. */
export const defineLookup = (declaration: LookupDeclaration): Omit<Lookup, 'area'> =>
  withSchemas(declaration, {
    input: declaration.input ?? (() => ({})),
    output: declaration.output,
  });

/** The declaration with schemas in place of the functions that make them. */
export function withSchemas<D extends object, Name extends string>(
  declaration: D,
  makers: Record<Name, () => FieldSchemas>,
): Omit<D, Name> & Record<Name, FieldSchemas> {
  const made = { ...declaration };
  for (const [name, make] of Object.entries<() => FieldSchemas>(makers)) {
    const property = { enumerable: true, configurable: true };
    Object.defineProperty(made, name, {
      ...property,
      get: () => {
        const value = make();
        Object.defineProperty(made, name, { ...property, value });
        return value;
      },
    });
  }
  return made as Omit<D, Name> & Record<Name, FieldSchemas>;
}
