import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { actionRunner } from '../support/action.ts';
import { git, temporary } from '../support/ledger-places.ts';
import { canaries, site, siteYaml as yaml } from '../support/site.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/** A checkout of a commit. */
function checkout(bare: string, place: string, commit: string): string {
  git(temporary(), 'clone', '--quiet', `file://${bare}`, place);
  git(place, 'checkout', '--quiet', commit);
  return place;
}

story('the action validates, plans, comments, applies and looks for drift', async () => {
  const { twin, bare, push, pull, machine, comments, writes } = await site();
  const { run, events } = await actionRunner();
  push('main', yaml('info'));
  const head = push('change', yaml('debug'));
  const event = pull(head);
  const workspace = temporary();
  checkout(bare, join(workspace, 'base'), 'main');
  checkout(bare, join(workspace, 'change'), head);
  const reads = { ...machine().env, TRUEUP_TOKEN: canaries.reads, TRUEUP_LEDGER: 'git' };
  const from = { 'working-directory': 'base', file: '../change/trueup.yaml' };

  const valid = await run({ command: 'validate', ...from }, { workspace, env: machine().env, event });
  expect(valid, valid.log).toMatchObject({ ok: true });
  // The step of the guide, word for word.
  const guide = readFileSync('docs/guides/pull-requests.md', 'utf8');
  const [[step]] = [parse(/```yaml elsewhere\n(- uses: acme\/trueup@[\s\S]*?)```/.exec(guide)![1]!)];
  expect(step).toMatchObject({ uses: expect.stringMatching(/^acme\/trueup@[0-9a-f]{40}$/), with: from });
  expect(Object.keys(step.env)).toEqual(['TRUEUP_TOKEN', 'TRUEUP_LEDGER']);
  const planned = await run(step.with, { workspace, env: reads, event });
  expect(planned, planned.log).toMatchObject({ ok: true, outputs: { changes: 'true' } });
  expect(planned.summary).toContain('<code>projects/web</code>');
  expect(readFileSync(join(workspace, 'base/plan.md'), 'utf8')).toContain('value: debug');
  const said = await run(
    { command: 'comment', ...from },
    { workspace, env: { ...reads, GITHUB_TOKEN: 'token' }, event },
  );
  expect(said, said.log).toMatchObject({ ok: true });
  expect(comments()).toEqual([expect.stringContaining('value: debug')]);
  expect(writes()).toBe(0);

  const main = temporary();
  checkout(bare, join(main, 'site'), 'main');
  const holds = { ...reads, TRUEUP_TOKEN: canaries.writes, TRUEUP_LEDGER_KEY: canaries.key };
  const at = { 'working-directory': 'site', 'plan-file': 'approved.json' };
  const merged = await run({ command: 'plan', ...at }, { workspace: main, env: holds });
  expect(merged.outputs.changes).toBe('true');
  expect(await run({ command: 'apply', ...at }, { workspace: main, env: holds })).toMatchObject({ ok: true });
  expect(readFileSync(join(main, 'site/approved.md'), 'utf8')).toContain('### trueup apply: `site`');
  expect(twin.account.projects[0]!.env[0]!.value).toBe('info');
  expect((await run({ command: 'plan', ...at }, { workspace: main, env: holds })).outputs.changes).toBe(
    'false',
  );
  expect((await run({ command: 'drift', ...at }, { workspace: main, env: holds })).outputs.drift).toBe(
    'false',
  );
  twin.account.projects[0]!.framework = 'astro';
  const drift = await run({ command: 'drift', ...at }, { workspace: main, env: holds });
  expect(drift).toMatchObject({ ok: true, outputs: { drift: 'true' } });

  // Built once, out of its own lockfile, in its own folder, and without what the tool is given.
  expect(events().match(/^(npm|node) .*/gm)).toEqual([
    expect.stringMatching(/^npm ci --ignore-scripts .* in .*\/action$/),
    expect.stringMatching(/^node build\.mjs in .*\/action$/),
  ]);
  expect(events()).not.toMatch(/canary|TRUEUP_|GITHUB_TOKEN/);
});

story('the action fails where trueup does, and for what it does not know', async () => {
  const { bare, push, machine } = await site();
  const { run } = await actionRunner();
  push('main', { 'trueup.yaml': 'stack: [site\n' });
  const workspace = temporary();
  checkout(bare, join(workspace, 'site'), 'main');
  const here = { workspace, env: { ...machine().env, TRUEUP_TOKEN: canaries.reads } };
  const at = { 'working-directory': 'site' };
  for (const command of ['validate', 'plan', 'drift', 'apply'])
    expect(await run({ command, ...at }, here), command).toMatchObject({ ok: false });
  const unknown = await run({ command: '$(touch ran)', ...at }, here);
  expect(unknown).toMatchObject({ ok: false, log: expect.stringContaining('::error::command is validate') });
  const both = await run({ command: 'plan', ...at, file: 'a', workspace: 'b' }, here);
  expect(both).toMatchObject({ ok: false, log: expect.stringContaining('either workspace') });
});

it('no input of the action becomes a command, and what it uses is named by its commit', () => {
  const text = readFileSync('action.yml', 'utf8');
  const { runs } = parse(text) as { runs: { steps: { run?: string }[] } };
  for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
  for (const line of text.match(/- uses: .*/g)!)
    expect(line).toMatch(/^- uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
