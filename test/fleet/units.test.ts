import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readFleetFile } from '../../src/fleet/fleet-file.ts';
import { all } from '../support/sweep.ts';

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasSystemd = has('systemd-analyze', '--version');
if (!hasSystemd) console.log('skipped: systemd-analyze is not installed (Debian: apt-get install systemd)');
const hasGo = has('go', 'version');
if (all && !hasGo) console.log('skipped: go is not installed');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'trueup-units-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it.skipIf(!hasSystemd)(
  'the unit of systemd is one that systemd takes, and an unknown word in it is not',
  () => {
    const place = folder();
    // What it starts has to be there.
    const [unit, env] = ['trueup-worker@.service', join(place, 'env')];
    const verify = (text: string) => {
      writeFileSync(join(place, unit), text);
      // It wants what it comes after, and most of a machine is not there in a container.
      return spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', '--recursive-errors=no', join(place, unit)],
        {
          encoding: 'utf8',
        },
      );
    };
    writeFileSync(env, '');
    const text = readFileSync(join('examples/fleet', unit), 'utf8');
    const fine = verify(text);
    expect([fine.status, fine.stderr]).toEqual([0, '']);
    expect(verify(text.replace('Restart=always', 'Restart=alway')).stderr).toMatch(/alway/);
    expect(verify(text.replace('KillMode', 'KilMode')).stderr).toMatch(/KilMode/);
  },
);

it('the manifest of Kubernetes has a file that a worker reads', async () => {
  const [map] = parseAllDocuments(readFileSync('examples/fleet/kubernetes.yaml', 'utf8'));
  const { data } = map!.toJS() as { data: Record<string, string> };
  expect([...(await readFleetFile('fleet.yaml', data['fleet.yaml']!)).keys()]).toEqual(['acme/shop']);
});

it.skipIf(!all || !hasGo)(
  'the types of k8s.io/api read the manifest strictly, and refuse a word that is none of theirs',
  () => {
    const place = folder();
    mkdirSync(join(place, 'manifest'));
    for (const name of ['go.mod', 'go.sum', 'main.go'])
      copyFileSync(join('test/fleet/manifest', name), join(place, 'manifest', name));
    const binary = join(place, 'read-manifest');
    execFileSync('go', ['build', '-o', binary, '.'], { cwd: join(place, 'manifest'), stdio: 'pipe' });
    const read = (text: string) => spawnSync(binary, { input: text, encoding: 'utf8' });
    const text = readFileSync('examples/fleet/kubernetes.yaml', 'utf8');
    const fine = read(text);
    expect([fine.status, fine.stdout]).toEqual([0, 'v1 ConfigMap\napps/v1 Deployment\n']);
    for (const [from, to] of [
      ['replicas:', 'replica:'],
      ['readOnlyRootFilesystem', 'readOnlyRootFileSystem'],
      ['replicas: 4', 'replicas: four'],
    ] as const)
      expect(read(text.replace(from, to)).status, to).toBe(1);
  },
);
