import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = 'providers/hosting/kinds';

/** The file of each kind, by its name: `./projects/project.ts` for `project`. */
const fileOfKind = new Map(
  Array.from(
    readFileSync(join(root, folder, 'index.ts'), 'utf8').matchAll(/^import \{ (\w+) \} from '(\.\/.+)';$/gm),
    ([, name, file]) => [name, file],
  ),
);

/** The modules of the kinds in each folder, for `joinParts`: `kinds-team` has those in `kinds/team`. */
export const kindsByFolder = {};
for (const file of fileOfKind.values()) {
  const joined = `kinds-${file.split('/')[1]}`;
  kindsByFolder[joined] = [...(kindsByFolder[joined] ?? []), `${folder}/${file.slice('./'.length)}`];
}

/**
 * Makes the built program load the declaration of a kind when it is used. A run uses few kinds, and loading all of them takes a tenth of the time of
 * a small `validate`. In the list of kinds, each then has its name, section and parent, and a function which loads its module. The
 * list marks `import()` with `requireNow`, for which `withPlainExports` writes a plain `require`. `options`: the esbuild options that change modules.
 */
export const kindsOnUse = (options) => ({
  name: 'kinds-on-use',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]providers[\\/]hosting[\\/]kinds[\\/]index\.ts$/ }, async () => {
      const kinds = (await readHeads(options)).map((head) => {
        const file = fileOfKind.get(head.name);
        if (file === undefined)
          throw new Error(`index.ts imports no ${head.name}: name the kind like its variable`);
        return `loadedOnUse(${JSON.stringify(head)}, () => requireNow(import('${file}')).${head.name})`;
      });
      return {
        contents: `import { loadedOnUse } from '#kind';\nexport const kinds = [${kinds.join(',\n')}];`,
        loader: 'js',
      };
    });
  },
});

/** Returns the name, section and parent of each kind. Runs the declarations, because they may compute these members. */
async function readHeads(options) {
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: root,
    stdin: {
      contents: `import { kinds } from './${folder}/index.ts';
process.stdout.write(JSON.stringify(kinds.map(({ name, section, parent }) => ({ name, section, parent }))));`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const heads = execFileSync(process.execPath, ['-'], {
    input: outputFiles[0].text,
    env: {},
    encoding: 'utf8',
  });
  return JSON.parse(heads);
}
