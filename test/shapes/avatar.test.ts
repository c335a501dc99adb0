import { hash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pictures } from '../support/pictures.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(4);

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: { projects: [{ name: 'web' }] } });
});
afterEach(() => world.stop());

const naming = (file: string) => `projects: { web: { avatar: { file: ${file} } } }`;
const stored = () => world.twin.account.projects[0]!.avatar;
const change = async (file: string) => {
  const { plan } = await world.plan(naming(file));
  return plan.changes.find(({ kind }) => kind === 'avatar')!;
};

story('a picture is sent as it is, and compared by its digest', async () => {
  await world.converge(naming('one.png'));
  expect(stored()).toBe(hash('sha1', pictures['one.png']));
  expect((await change('one.png')).action).toBe('noop');
  const { fields, action } = await change('other.png');
  expect([action, fields]).toEqual([
    'update',
    [
      {
        path: 'file',
        before: hash('sha1', pictures['one.png']),
        after: hash('sha1', pictures['other.png']),
        cause: 'edit',
      },
    ],
  ]);
  world.twin.account.projects[0]!.avatar = '0'.repeat(40);
  expect((await change('one.png')).fields).toMatchObject([{ path: 'file', cause: 'drift' }]);
  // The same content under another name is the same picture.
  await world.converge(naming('one.png'));
  expect((await change('logo.png')).action).toBe('noop');
});

test('a plan holds the digest of a picture and nothing of its content', async () => {
  const { plan } = await world.plan(naming('one.png'));
  const [request] = plan.operations.flatMap(({ requests }) => requests);
  expect(request).toMatchObject({ file: true, body: { file: hash('sha1', pictures['one.png']) } });
  expect(JSON.stringify(plan)).not.toContain(pictures['one.png'].toString('base64').slice(0, 20));
});

story('what the platform makes of an SVG says nothing: the last one that was sent decides', async () => {
  await world.converge(naming('logo.svg'));
  expect(stored()).toMatch(/^[0-9a-f]{40}$/);
  expect(stored()).not.toBe(hash('sha1', pictures['logo.svg']));
  expect((await change('logo.svg')).action).toBe('noop');
  expect((await change('one.png')).action).toBe('update');
  world.twin.account.projects[0]!.avatar = null;
  expect((await change('logo.svg')).fields).toMatchObject([{ path: 'file', cause: 'drift' }]);
  await writeFile(join(world.folder, 'new.svg'), '<svg><path d="M1 1"/></svg>');
  expect((await change('new.svg')).action).toBe('update');
});

story('a picture stays when its block goes', async () => {
  await world.converge(naming('one.png'));
  await world.converge('projects: { web: {} }');
  expect(stored()).toBe(hash('sha1', pictures['one.png']));
});

test('the path of a picture is relative to the file that names it, such as that of a template', async () => {
  await mkdir(join(world.folder, 'shared'));
  await writeFile(join(world.folder, 'shared/of-all.png'), pictures['one.png']);
  await writeFile(join(world.folder, 'own.png'), pictures['other.png']);
  const { notAllowed, diagnostics, desired } = await world.configure({
    'shared/base.yaml':
      'templates: { base: { $inputs: { logo: { default: of-all.png } }, avatar: { file: "${input.logo}" } } }',
    'trueup.yaml':
      'stack: test\nplatform: { team: acme }\nprojects: { web: { $use: base }, own: { $use: base, avatar: { file: own.png } } }',
  });
  expect([...diagnostics, ...notAllowed]).toEqual([]);
  const files = ['web', 'own'].map((name) => desired.resources.get(`projects/${name}/avatar`)!.fields.file);
  expect(files).toEqual(['one.png', 'other.png'].map((name) => hash('sha1', pictures[name as 'one.png'])));
});

test('only pictures are read, of at most 5 MiB, that the operator or git lets be read', async () => {
  const refused = async (file: string) => {
    const { notAllowed, desired } = await world.configure(naming(file));
    expect(desired.contents?.size ?? 0).toBe(0);
    return notAllowed.map(({ code, message }) => `${code}: ${message}`);
  };
  await writeFile(join(world.folder, 'key.png'), '-----BEGIN PRIVATE KEY-----');
  expect(await refused('key.png')).toEqual(['file/picture: the file `key.png` is not a JPEG, PNG or SVG']);
  await writeFile(join(world.folder, 'big.png'), Buffer.alloc(5 * 1024 * 1024 + 1));
  expect(await refused('big.png')).toEqual(['file/picture: the file `big.png` is larger than 5 MiB']);
  await symlink('/proc/self/environ', join(world.folder, 'env.png'));
  expect(await refused('env.png')).toEqual([
    'source/file: the file `env.png` is not available: its file belongs to trueup or git and is never read',
  ]);
  expect(await refused('gone.png')).toEqual([
    'file/missing: the file `gone.png` is not available: there is no such file',
  ]);
  await writeFile(join(world.folder, 'untracked.jpg'), Buffer.from('ffd8ff', 'hex'));
  expect(await refused('untracked.jpg')).toEqual([
    'source/file: the file `untracked.jpg` is not available: git does not track its file, since there is no repository',
  ]);
  expect(await refused('/etc/hostname')).toHaveLength(1);
});
