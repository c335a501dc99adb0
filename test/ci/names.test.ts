import { expect } from 'vitest';
import { parse } from 'yaml';
import { oneStoryIn } from '../support/sweep.ts';
import { callsOf } from './npm-calls.ts';
import { oddName } from './odd-repository.ts';
import { oneStack, repositoryWith } from './sample.ts';

const story = oneStoryIn(3);

story('the file of one stack is one word for the shell, too', async () => {
  const { init, read } = await repositoryWith({ [`${oddName}/trueup.yaml`]: oneStack['trueup.yaml'] });
  expect((await init(['--ci', 'github'], oddName)).status).toBe(0);
  const text = read('.github/workflows/trueup-apply.yml');
  const steps = parse(text).jobs.apply.steps as { run?: string }[];
  const run = steps.find((step) => step.run?.includes(' trueup apply '))!.run!;
  expect(await callsOf(run)).toEqual([
    [
      'exec',
      '--no',
      '--',
      'trueup',
      'apply',
      'plan.json',
      '-f',
      `./${oddName}/trueup.yaml`,
      '--lock-wait',
      '600',
      '--report',
      'apply.md',
    ],
  ]);
  expect((await init(['--ci', 'gitlab'], oddName)).status).toBe(0);
  const { validate } = parse(read('trueup-ci/gitlab-ci.yml'));
  expect(await callsOf(validate.script[0])).toEqual([
    ['exec', '--no', '--', 'trueup', 'validate', '-f', `../change/${oddName}/trueup.yaml`],
  ]);
});

story('what no workflow can hold is refused, and nothing is written', async () => {
  for (const name of ['a\nb', 'a\u2028b', '${{ github.token }}']) {
    const { init, files } = await repositoryWith({ [`${name}/trueup.yaml`]: oneStack['trueup.yaml'] });
    const before = files();
    for (const host of ['github', 'gitlab']) {
      const ran = await init(['--ci', host], name);
      expect(ran.status).toBe(1);
      expect(ran.stderr).toContain('[init/ci-name]');
    }
    expect(files()).toEqual(before);
  }
  const yaml = (secrets: string, use: string) =>
    `stack: s\nplatform: { team: acme }\nsecrets: ${secrets}\nprojects: { web: { env: { ${use} } } }\n`;
  for (const [secrets, use, said] of [
    ['{ größe: {} }', 'A: "${secret.größe}"', '`größe` is read from `TRUEUP_SECRET_größe`'],
    ['{ a: { env: GITHUB_PAT } }', 'A: "${secret.a}"', '`a` is read from `GITHUB_PAT`'],
    ['{ db: {}, DB: {} }', 'A: "${secret.db}", B: "${secret.DB}"', 'which CI treats as the same name'],
  ] as const) {
    const { init } = await repositoryWith({ 'trueup.yaml': yaml(secrets, use) });
    const ran = await init(['--ci', 'github']);
    expect(ran.stderr).toContain(said);
    expect(ran.status).toBe(1);
  }
});
