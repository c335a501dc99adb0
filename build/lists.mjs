import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const twin = 'providers/hosting/twin';
const declaration = /^export const (\w+)(?:: Resource = | = \w+\.resource\()/gm;

/** The file that lists the twin's resources, and what has to stand in it, from what the twin's folders declare. */
export function resourceList(root) {
  const found = readdirSync(join(root, twin), { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, twin, name)).map((file) => `./${name}/${file}`))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join(root, twin, file), 'utf8').matchAll(declaration)].map(([, name]) => ({
        name,
        file,
      })),
    )
    .sort((a, b) => (a.file.slice(0, -3) < b.file.slice(0, -3) ? -1 : 1));
  for (const { name, file } of found) {
    const other = found.find((one) => one.name === name && one.file !== file);
    if (other) throw new Error(`Two resources of the twin are called ${name}: ${file} and ${other.file}.`);
  }
  const imports = [...found, { name: 'type Resource', file: './resource.ts' }]
    .sort((a, b) => (a.file.slice(0, -3) < b.file.slice(0, -3) ? -1 : 1))
    .map(({ name, file }) =>
      name === 'type Resource'
        ? `import type { Resource } from '${file}';`
        : `import { ${name} } from '${file}';`,
    );
  const text = `${imports.join('\n')}

/** Everything that the twin serves. Generated: the build finds what the folders declare (build/lists.mjs). */
export const resources: Resource[] = [
${found.map(({ name }) => `  ${name},`).join('\n')}
];
`;
  return { file: `${twin}/resources.ts`, text };
}

/** Writes the list where it is not what the folders declare; where nobody would commit that (`isChecked`), it throws. */
export function writeLists(root, { isChecked = false } = {}) {
  const { file, text } = resourceList(root);
  if (readFileSync(join(root, file), 'utf8') === text) return;
  if (isChecked) throw new Error(`${file} is not current: run \`npm run build\`, and commit it.`);
  writeFileSync(join(root, file), text);
}
