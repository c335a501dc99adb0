import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';

const header = (stack: string) => `stack: ${stack}\nplatform: { team: acme }\n`;
const projectOf = (host: string) => `projects: { ${host.split('.')[0]}: { domains: { ${host}: {} } } }\n`;
const zoneOf = (...names: string[]) =>
  `domains: { example.com: { records: ${JSON.stringify(names.map((name) => ({ type: 'CNAME', name, value: 'cname.vercel-dns.com' })))} } }\n`;

/** Returns the findings of `validate` as texts. */
async function validated(files: Record<string, string>, args: string[] = [], folder = ''): Promise<string[]> {
  const shell = await new Shell().write(files);
  // The workspace around a folder is looked for inside the repository.
  if (folder !== '') initRepository(shell.folder);
  const inside = new Shell(join(shell.folder, folder));
  const ran = await inside.run(['validate', '--format', 'json', ...args]);
  const { diagnostics } = JSON.parse(ran.stdout) as { diagnostics: { code: string; address: string }[] };
  return diagnostics.map(({ code, address }) => `${code} ${address}`);
}

const takeover = (name: string) => `dns/takeover domains/example.com/records/${name}/CNAME`;

describe('a name that points to the platform', () => {
  it('may be served by the projects of another stage', async () => {
    const files = {
      'trueup.yaml': `${header('shop')}stages: { staging: { files: [staging.yaml] }, production: { files: [production.yaml] } }\n`,
      'staging.yaml': projectOf('staging.example.com'),
      'production.yaml': projectOf('www.example.com') + zoneOf('www', 'staging', 'old'),
    };
    expect(await validated(files)).toEqual([takeover('old')]);
    // The other stage is not read.
    expect(await validated(files, ['--stage', 'production'])).toEqual([]);
  });

  it('may be served by the projects of another stack of the workspace', async () => {
    const files = {
      'trueup.workspace.yaml': 'stacks: [main, docs]\n',
      'main/trueup.yaml': header('main') + projectOf('www.example.com') + zoneOf('www', 'docs', 'old'),
      'docs/trueup.yaml': header('docs') + projectOf('docs.example.com'),
    };
    expect(await validated(files, ['--all'])).toEqual([takeover('old')]);
    // The other stack is not read.
    expect(await validated(files, [], 'main')).toEqual([]);
  });
});
