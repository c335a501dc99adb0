import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { editorSchema } from '../config/editor-schema.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { type Host, pathOn } from './host.ts';

/** The JSON Schema for editors, as text: one line, since nobody reads it. */
export const schemaText = ({ kinds }: Provider): string =>
  `${JSON.stringify(editorSchema(kindsOf(kinds)))}\n`;

/** The first line of a YAML file whose editor is to use the schema at `path`, which is relative to that file. */
export const modeline = (path: string): string =>
  `# yaml-language-server: $schema=${path.replaceAll('\\', '/')}`;

/** Writes the schema in place of what is there; throws `Problems` where that cannot be done. */
export async function writeSchema(provider: Provider, path: string, host: Host): Promise<void> {
  try {
    const file = pathOn(host, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, schemaText(provider));
  } catch (error) {
    throw new Problems([
      problem('schema/unwritable', `the schema cannot be written to ${path}: ${(error as Error).message}`, {
        hint: 'name a file in a folder that you may write to',
      }),
    ]);
  }
}
