import type { Kinds } from '../../kind/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LoadOptions } from '../configuration.ts';
import { type InputType, readTemplates } from '../layers/templates.ts';
import { type Document, readFiles } from '../read-files.ts';
import { splitDocuments } from '../read-header.ts';
import { openSources } from '../sources/sources.ts';
import { type Entry, entryOf, type MapNode, type Node } from '../yaml/nodes.ts';

/** The names that a configuration declares: an editor offers them, and takes any other. */
export interface DeclaredNames {
  templates: DeclaredTemplate[];
  variables: { name: string; description?: string; isCollection: boolean }[];
  stages: string[];
  /** It has patches: what a block lacks may come from one of them. */
  isPatched: boolean;
}

export interface DeclaredTemplate {
  name: string;
  /** The name of the kind that it is for; any without. */
  kind?: string;
  inputs: DeclaredInput[];
}

export interface DeclaredInput {
  name: string;
  type?: InputType;
  description?: string;
  values?: string[];
  isRequired: boolean;
}

export const noDeclaredNames: DeclaredNames = { templates: [], variables: [], stages: [], isPatched: false };

/**
 * The names that a configuration declares, in all of its stages. Of one that has mistakes, or is not there, it is what can be read of it;
 * `diagnostics` tells about its files.
 */
export async function readDeclaredNames(
  options: Omit<LoadOptions, 'stage'>,
  diagnostics: Diagnostic[],
): Promise<DeclaredNames> {
  const { kinds, env, cwd, sources = openSources({ env, cwd }) } = options;
  const read = (stage?: string) =>
    readFiles({ ...options, ...(stage === undefined ? {} : { stage }) }, sources, [], diagnostics);
  const first = await read();
  const documents = new Map(first.documents.map((document) => [documentIdOf(document), document]));
  for (const stage of first.stages)
    for (const one of (await read(stage)).documents)
      documents.set(documentIdOf(one), documents.get(documentIdOf(one)) ?? one);
  return { ...namesInDocuments([...documents.values()], kinds), stages: first.stages };
}

/** The same for each time that a document is read. */
const documentIdOf = ({ file, map }: Document): string => `${map.at.start} ${file.path}`;

function namesInDocuments(documents: Document[], kinds: Kinds): Omit<DeclaredNames, 'stages'> {
  const { added } = splitDocuments(documents, kinds, []);
  const declared = added.get('variables')!.flatMap(sectionEntriesOf);
  return {
    templates: [...readTemplates(added.get('templates')!, kinds, []).values()].map(
      ({ name, kind, inputs }): DeclaredTemplate => ({
        name,
        ...(kind === undefined ? {} : { kind }),
        inputs: [...inputs].map(
          ([input, { type, values, description, default: standard }]): DeclaredInput => ({
            name: input,
            ...(type ? { type } : {}),
            ...(values ? { values } : {}),
            ...(description === undefined ? {} : { description }),
            isRequired: standard === undefined,
          }),
        ),
      }),
    ),
    variables: declared.map(({ key, value }) => variableOf(key.text, value)),
    isPatched: added.get('patches')!.length > 0,
  };
}

const sectionEntriesOf = (section: Node): Entry[] => (section.type === 'map' ? section.entries : []);

function variableOf(name: string, value: Node): DeclaredNames['variables'][number] {
  const member = (key: string) => (value.type === 'map' ? entryOf(value as MapNode, key)?.value : undefined);
  const description = member('description');
  const standard = member('default')?.type;
  return {
    name,
    ...(description?.type === 'scalar' && description.value !== null
      ? { description: description.text }
      : {}),
    isCollection: member('file') !== undefined || standard === 'list' || standard === 'map',
  };
}
