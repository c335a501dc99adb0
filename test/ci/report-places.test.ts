import { expect, it } from 'vitest';
import { createReportPlaces } from '../../src/ci/ci-job.ts';
import type { Host } from '../../src/host.ts';
import { placeLink } from '../../src/report/markdown/forms.ts';

const sha = 'b'.repeat(40);
const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.test',
  GITHUB_REPOSITORY: 'acme/site',
  GITHUB_SHA: sha,
};
const gitlab = { GITLAB_CI: 'true', CI_PROJECT_URL: 'https://gitlab.test/acme/site', CI_COMMIT_SHA: sha };
const linked = (env: Record<string, string>, file: string) =>
  placeLink({ file, line: 33 }, createReportPlaces({ cwd: process.cwd(), env } as unknown as Host));

it('a place links to the line in the commit, on GitHub and on GitLab', () => {
  expect(linked(github, 'shop/trueup.yaml')).toBe(
    `[\`shop/trueup.yaml:33\`](https://github.test/acme/site/blob/${sha}/shop/trueup.yaml#L33)`,
  );
  expect(linked(gitlab, 'trueup.yaml')).toBe(
    `[\`trueup.yaml:33\`](https://gitlab.test/acme/site/-/blob/${sha}/trueup.yaml#L33)`,
  );
});

it('no file name ends a link early or leads out of the repository', () => {
  expect(linked(github, 'a) [b](x "y").yaml')).toBe(
    `[\`a) [b](x "y").yaml:33\`](https://github.test/acme/site/blob/${sha}/a%29%20%5Bb%5D%28x%20%22y%22%29.yaml#L33)`,
  );
  for (const file of ['/etc/passwd', '../../../../outside.yaml', '..\\x.yaml'])
    expect(linked(github, file)).not.toContain('](');
});

it('two dots at the beginning of a name lead nowhere', () => {
  expect(linked(github, `${process.cwd()}/..shop/trueup.yaml`)).toContain(
    `/blob/${sha}/..shop/trueup.yaml#L33`,
  );
});

it('without a known server, repository and commit there is no link', () => {
  for (const env of [
    {},
    { ...github, GITHUB_ACTIONS: '' },
    { ...github, GITHUB_SHA: 'main' },
    { ...github, GITHUB_REPOSITORY: 'acme/site) x' },
    { ...github, GITHUB_SERVER_URL: 'javascript:x' },
    { ...gitlab, CI_PROJECT_URL: 'https://x.test/a b' },
  ])
    expect(linked(env, 'trueup.yaml')).toBe('`trueup.yaml:33`');
});
