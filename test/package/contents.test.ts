import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Version } from '@cyclonedx/cyclonedx-library/Spec';
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation';
import { beforeAll, describe, expect, it } from 'vitest';
import { pack, unpack } from './packed.ts';

interface Component {
  name: string;
  group?: string;
  version: string;
  'bom-ref': string;
  hashes: { alg: string; content: string }[];
  licenses: { license: { id: string } }[];
  components?: Component[];
}

interface Locked {
  version: string;
  integrity: string;
  license: string;
  dependencies?: Record<string, string>;
}

describe('the package holds', () => {
  let files: Map<string, Buffer>;
  const text = (name: string) => files.get(name)!.toString();
  const parts = () => [...files.keys()].filter((name) => name.endsWith('.cjs'));
  const nameOf = ({ group, name }: Component) => (group ? `${group}/${name}` : name);
  const components = () => (JSON.parse(text('dist/sbom.cdx.json')) as { components: Component[] }).components;
  const lockOf = (lockfile: string) =>
    (JSON.parse(lockfile) as { packages: Record<string, Locked> }).packages;

  beforeAll(() => {
    files = unpack(pack());
  });

  it('the program and what says what is in it, and nothing else', () => {
    const isPart = (name: string) =>
      /^dist\/parts?-([A-Z0-9]{8}|start|validate|plan|apply|kinds-[a-z]+)\.cjs$|^dist\/types\/model\/[\w-]+\.d\.ts$/.test(
        name,
      );
    const others = [...files.keys()].filter((name) => !isPart(name));
    expect(others.sort()).toEqual([
      'README.md',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/bug.schema.json',
      'dist/bundled/package-lock.json',
      'dist/bundled/package.json',
      'dist/diff.schema.json',
      'dist/guards.schema.json',
      'dist/library.cjs',
      'dist/library.mjs',
      'dist/matrix.schema.json',
      'dist/plan.schema.json',
      'dist/sbom.cdx.json',
      'dist/stacks.schema.json',
      'dist/tests.schema.json',
      'dist/trueup.cjs',
      'dist/types/library.d.ts',
      'dist/types/library/surface.d.ts',
      'package.json',
    ]);
  });

  it('of the program the parts that it loads, and nothing that another file could take the place of', () => {
    const loaded = new Set(['dist/trueup.cjs', 'dist/library.cjs']);
    for (const part of loaded)
      for (const [, name] of text(part).matchAll(/require\("\.\/([^"]+)"\)/g)) loaded.add(`dist/${name}`);
    expect([...loaded].sort()).toEqual(parts().sort());
    for (const part of parts()) {
      const own = text(part).matchAll(/\brequire\(([^)]*)\)/g);
      // The clients of stores and queue are not in the package; each is asked for in one place, once a URL names its store.
      for (const [, what] of own)
        expect(what).toMatch(
          /^"(\.\/parts?-([A-Z0-9]{8}|start|validate|plan|apply|kinds-[a-z]+)\.cjs|node:[\w/]+|pg|pg-boss|@aws-sdk\/client-s3)"$/,
        );
      // What stands in front of a call is looked at from there: to begin with it would try every place of every part.
      const clients = text(part).matchAll(/(?<=(.{0,32}))require\("(?:pg|pg-boss|@aws[^"]*)"\)/g);
      for (const [call, before] of clients)
        expect(`${before}${call}`).toMatch(/Promise\.resolve\(\)\.then\(\(\)=>\w+\(require\(/);
    }
  });

  it('text only: no code that V8 compiled before, and nothing that has V8 take such code', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (const [name, bytes] of files) {
      expect(() => decoder.decode(bytes), name).not.toThrow();
      expect(bytes.includes(0), name).toBe(false);
    }
    for (const part of parts())
      expect(text(part), part).not.toMatch(/cachedData|createCachedData|enableCompileCache|node:vm\b/);
  });

  it('no name of a folder of the machine that built it', () => {
    for (const [name, bytes] of files) expect(bytes.includes(process.cwd()), name).toBe(false);
  });

  it('a valid list of the packages that are bundled, each as package-lock.json has it', async () => {
    const sbom = text('dist/sbom.cdx.json');
    expect(await new JsonStrictValidator(Version.v1dot6).validate(sbom)).toBeNull();
    expect(sbom).not.toContain('timestamp');
    const locked = lockOf(readFileSync('package-lock.json', 'utf8'));
    expect(components().length).toBeGreaterThan(20);
    for (const component of components()) {
      const one = locked[`node_modules/${nameOf(component)}`]!;
      const sha512 = Buffer.from(one.integrity.slice('sha512-'.length), 'base64').toString('hex');
      expect(component).toMatchObject({
        version: one.version,
        hashes: [{ alg: 'SHA-512', content: sha512 }],
        licenses: [{ license: { id: one.license } }],
      });
    }
    const refs = new Set(components().map((one) => one['bom-ref']));
    const graph = (JSON.parse(sbom) as { dependencies: { ref: string; dependsOn: string[] }[] }).dependencies;
    const reached = new Set(graph[0]!.dependsOn);
    for (const ref of reached)
      for (const needed of graph.find((one) => one.ref === ref)!.dependsOn) reached.add(needed);
    expect(reached).toEqual(refs);
  });

  it('what is a list of its own in the code: the packages that the sources import', () => {
    const names = components().map(nameOf);
    for (const name of ['commander', 'undici', 'yaml', 'zod', 're2js']) expect(names).toContain(name);
    // Only types of it are imported, or only tests and the build use it.
    for (const name of ['typescript', 'vitest', 'esbuild', 'fast-check', 'ajv'])
      expect(names).not.toContain(name);
  });

  it('the licence text of each of them, and of what they carry', () => {
    const notices = text('dist/THIRD-PARTY-NOTICES.txt');
    for (const component of components()) {
      const { version, licenses } = component;
      const name = nameOf(component);
      expect(notices).toContain(`\n${name} ${version} (${licenses[0]!.license.id})\n`);
      const [section] = notices.split(`\n${name} ${version} (`)[1]!.split(/^-{80}$/m);
      expect(section, name).toMatch(/copyright/i);
      expect(section, name).toMatch(/permission to use|permission is hereby granted|redistribution and use/i);
    }
    expect(notices).toContain('Copyright Fedor Indutny, 2018.');
    expect(components().find(({ name }) => name === 'undici')!.components![0]!.name).toBe('llhttp');
  });

  it('of WebAssembly what undici has, byte for byte', () => {
    // The module's first eight bytes in base64, without the last bits, which the ninth shares.
    const found = parts().flatMap((part) =>
      [...text(part).matchAll(/AGFzbQEAAA[\w+/=]+/g)].map(([one]) => one),
    );
    const digest = (base64: string) => createHash('sha256').update(base64).digest('hex');
    const theirs = ['llhttp-wasm', 'llhttp_simd-wasm'].map((name) =>
      /AGFzbQEAAA[\w+/=]+/.exec(readFileSync(`node_modules/undici/lib/llhttp/${name}.js`, 'utf8')),
    );
    expect(found.map(digest).sort()).toEqual(theirs.map((one) => digest(one![0])).sort());
  });

  it('a lockfile of the same packages', () => {
    const { '': root, ...locked } = lockOf(text('dist/bundled/package-lock.json'));
    const listed = components().map((one) => `node_modules/${nameOf(one)}@${one.version}`);
    expect(Object.entries(locked).map(([path, { version }]) => `${path}@${version}`)).toEqual(listed);
    expect(root!.dependencies).toMatchObject({ zod: locked['node_modules/zod']!.version });
  });
});
