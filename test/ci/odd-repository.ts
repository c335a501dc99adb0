import { repositoryWith } from './sample.ts';

/** What a name may hold that a shell, YAML or GitHub would make something of. */
export const oddName = `-it's "$(touch ran)" \`touch ran\`; touch ran & # {a}: [b], *c !d %e \\t ~|>`;
export const oddBranch = `rel/1.0+'"$(touch\${IFS}ran)";#{a},!x`;

/** A repository in which the folder of the workspace, the one of a stack, the one of the lockfile and the branch have odd names. */
export async function oddRepository() {
  const stack = (name: string, more = '') => `stack: ${JSON.stringify(name)}
platform: { team: ${JSON.stringify(`acme ${oddName}`)} }
secrets: { db: {}, "it's": { env: DATABASE_URL } }
${more}projects: { web: { framework: nextjs, env: { A: "\${secret.db}", B: "\${secret[\\"it's\\"]}" } } }
`;
  const repository = await repositoryWith(
    {
      [`${oddName}/trueup.workspace.yaml`]: `stacks: [${JSON.stringify('a b')}, c]\n`,
      [`${oddName}/a b/trueup.yaml`]: stack('a'),
      [`${oddName}/c/trueup.yaml`]: stack('b'),
      [`${oddName}/package-lock.json`]: '{}',
    },
    { branch: oddBranch },
  );
  return { ...repository, folder: oddName };
}
