import type { Endpoint } from '../model/request.ts';
import type { ApiObject, FieldSchemas } from './kind.ts';

/** The input of an action or a lookup, given or found: names and values in the form of the schema. */
export type Input = Record<string, unknown>;

/** The values of a field that mean that something in motion has come to rest. */
export interface End {
  field: string;
  reached: readonly string[];
  /** The values that mean another end than the one waited for. */
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
  /** The kind whose object it is about. An endpoint with it in the path needs an ADDRESS; with it in the query, the ADDRESS may be left out. */
  on?: string;
  /** A list: the member of the answer that holds it, '' where the answer is the list. Without it the answer has one object. */
  items?: string;
  /** The member of an answer that holds the one object. */
  item?: string;
  /** Reads one object of the list by its `key`, which fills `{id}`. */
  one?: { endpoint: Endpoint; item?: string };
  /** The field that tells the objects of a list apart: what a NAME means. */
  key?: string;
  /** The inputs beside those that the endpoint names: they go into the query if the catalog has such a parameter, else into the body. */
  input: FieldSchemas;
  /** The members of an object that are told. Nothing else can be named, and a field with the secret trait is never shown. */
  output: FieldSchemas;
  /** The object of an answer as `output` has it; by default its members of the same names. */
  decode?(object: ApiObject): Input;
  /** The columns of a table. Default: all fields. */
  columns?: readonly string[];
  /** Changes of it that nobody configures. Such a value may stand in no field of a configuration, or plans would never be empty. */
  moves?: readonly ('actions' | 'pushes' | 'visitors')[];
  /** For objects in motion. */
  end?: End;
}

interface LookupDeclaration extends Omit<Lookup, 'input' | 'output' | 'area'> {
  input?(): FieldSchemas;
  output(): FieldSchemas;
}

/** Declares a lookup; see `Lookup`. Its schemas are made on first use. */
export const defineLookup = (declaration: LookupDeclaration): Omit<Lookup, 'area'> =>
  withSchemas(declaration, {
    input: declaration.input ?? (() => ({})),
    output: declaration.output,
  });

/** Replaces the functions of a declaration that make schemas by the schemas, made on first use. */
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
