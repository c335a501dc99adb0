import type { Kinds } from '../../kind/kind.ts';
import { Reporter } from '../../model/diagnostic.ts';
import type { LoadOptions } from '../configuration.ts';
import { type InputType, readTemplates } from '../layers/templates.ts';
import { type Document, readFiles } from '../read-files.ts';
import { splitDocuments } from '../read-header.ts';
import { openSources } from '../sources/sources.ts';
import { entriesOf, isText, memberOf, type Node } from '../yaml/nodes.ts';

/** The names that a configuration declares. An editor suggests them, but accepts any other, because files may have changed since. */
export interface DeclaredNames {
  templates: DeclaredTemplate[];
  /** `isCollection`: the value is a list or a map, so that `$each` can go through it. */
  variables: { name: string; description?: string; isCollection: boolean }[];
  stages: string[];
  /**
   * True if the configuration has patches, also in files of a stage. A patch may add a member that a block lacks, so no member is required.
   */
  isPatched: boolean;
}

/** A template and its inputs, as far as an editor suggests them. */
export interface DeclaredTemplate {
  name: string;
  /** The name of the kind whose blocks can use it. Absent: blocks of all kinds can. */
  kind?: string;
  inputs: DeclaredInput[];
}

/** An input of a template. */
export interface DeclaredInput {
  name: string;
  type?: InputType;
  description?: string;
  /** The only values that it can have. */
  values?: string[];
  /** True if it has no default. */
  isRequired: boolean;
}

/** The names for a schema that is made without a configuration: none, so that editors suggest none. */
export const noDeclaredNames: DeclaredNames = { templates: [], variables: [], stages: [], isPatched: false };

/**
 * Returns the templates, variables and stages that a configuration declares, so that editors suggest them
 * (`trueup schema`). Reads the configuration once without a stage and once for each stage, because a stage can have files of its own.
 * A configuration with mistakes yields the names that can be read; `report` gets the problems with its files.
 */
export async function readDeclaredNames(
  options: Omit<LoadOptions, 'stage'>,
  report: Reporter,
): Promise<DeclaredNames> {
  const { kinds, env, cwd, sources = openSources({ env, cwd }) } = options;
  const readStage = (stage?: string) => readFiles({ ...options, stage }, sources, [], report);
  const { documents: firstDocuments, stages } = await readStage();
  const documents = new Map(firstDocuments.map((document) => [documentIdOf(document), document]));
  for (const stage of stages)
    for (const document of (await readStage(stage)).documents) {
      const id = documentIdOf(document);
      documents.set(id, documents.get(id) ?? document);
    }
  return { ...namesInDocuments([...documents.values()], kinds), stages };
}

/** Returns a text that identifies a document: its start and its file. It is the same each time the file is read, once for each stage. */
const documentIdOf = ({ file, map }: Document): string => `${map.at.start} ${file.path}`;

/**
 * Returns the templates and variables that documents declare, so that an editor suggests them, and whether the documents have patches.
 * Ignores problems with them, because `validate` reports those.
 */
function namesInDocuments(documents: Document[], kinds: Kinds): Omit<DeclaredNames, 'stages'> {
  const { added } = splitDocuments(documents, kinds, new Reporter());
  const templates = [...readTemplates(added.get('templates')!, kinds, new Reporter()).values()];
  const variables = added.get('variables')!.flatMap(entriesOf);
  return {
    templates: templates.map(
      ({ name, kind, inputs }): DeclaredTemplate => ({
        name,
        kind,
        inputs: [...inputs].map(
          ([inputName, { type, values, description, default: defaultValue }]): DeclaredInput => ({
            name: inputName,
            type,
            values,
            description,
            isRequired: defaultValue === undefined,
          }),
        ),
      }),
    ),
    variables: variables.map(({ key, value }) => variableOf(key.text, value)),
    isPatched: added.get('patches')!.length > 0,
  };
}

/**
 * Returns a variable with the facts that an editor uses to suggest it: its description, and whether `$each` can go
 * through its value, judged by its declaration (a file with data, or a default that is a list or a map).
 */
function variableOf(name: string, declaration: Node): DeclaredNames['variables'][number] {
  const description = memberOf(declaration, 'description');
  const defaultType = memberOf(declaration, 'default')?.type;
  return {
    name,
    description: description && isText(description) ? description.text : undefined,
    isCollection:
      memberOf(declaration, 'file') !== undefined || defaultType === 'list' || defaultType === 'map',
  };
}
