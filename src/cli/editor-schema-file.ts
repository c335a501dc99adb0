import { editorSchema } from '../config/editor/editor-schema.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import type { Host } from './host.ts';
import { writeOutput } from './output-file.ts';

/** The JSON Schema for editors, as text: one line, since nobody reads it. */
export const schemaText = ({ kinds }: Provider): string =>
  `${JSON.stringify(editorSchema(kindsOf(kinds)))}\n`;

/** The first line of a YAML file whose editor is to use the schema at `path`, which is relative to that file. */
export const modeline = (path: string): string =>
  `# yaml-language-server: $schema=${path.replaceAll('\\', '/')}`;

/** Writes the schema in place of what is there; throws `Problems` where that cannot be done. */
export async function writeSchema(provider: Provider, path: string, host: Host): Promise<void> {
  await writeOutput(host, path, schemaText(provider));
}
