/**
 * Environment variables that a configuration may not read, since whoever can change the YAML in a pull request could have them
 * sent somewhere: the tool's own (`TRUEUP_*`), the platform's token, and the tokens that CI systems and registries hand out.
 */
const refused = [
  /^TRUEUP_/,
  /^VERCEL_(TOKEN|OIDC_TOKEN)$/,
  // GitHub Actions, and what gh, Gitea and Forgejo runners use
  /^(GITHUB|GH|GITEA|FORGEJO|GH_ENTERPRISE|GITHUB_ENTERPRISE)_(TOKEN|PAT)$/,
  /^ACTIONS_(.*_)?TOKEN$/,
  /^ACTIONS_ID_TOKEN_REQUEST_URL$/,
  // GitLab
  /^GITLAB_(TOKEN|PRIVATE_TOKEN|ACCESS_TOKEN)$/,
  /^CI_JOB_(TOKEN|JWT.*)$/,
  /^CI_(REGISTRY|DEPENDENCY_PROXY|DEPLOY)_PASSWORD$/,
  /^CI_REPOSITORY_URL$/,
  // Azure, Bitbucket, CircleCI, Buildkite, Travis, Drone, Jenkins, Atlantis, Terraform Cloud
  /^(SYSTEM_ACCESSTOKEN|AZURE_DEVOPS_EXT_PAT)$/,
  /^BITBUCKET_(.*_)?(TOKEN|PASSWORD)$/,
  /^CIRCLE_(.*_)?TOKEN(_V2)?$/,
  /^BUILDKITE_(.*_)?TOKEN$/,
  /^(TRAVIS|DRONE|JENKINS)_(.*_)?(TOKEN|PASSWORD)$/,
  /^ATLANTIS_(.*_)?(TOKEN|SECRET|PASSWORD)$/,
  /^(TFE|TF)_TOKEN(_.*)?$/,
  // Registries, and sockets that sign in somebody's name
  /^(NPM|NODE_AUTH|YARN_NPM_AUTH|CARGO_REGISTRY|PYPI|TWINE)_?(TOKEN|PASSWORD)$/,
  /^(NODE_AUTH_TOKEN|YARN_NPM_AUTH_TOKEN|CARGO_REGISTRY_TOKEN)$/,
  /^(SSH_AUTH_SOCK|GIT_ASKPASS)$/,
];

/** Whether the configuration may not read this environment variable. */
export const isRefusedEnv = (name: string): boolean =>
  refused.some((pattern) => pattern.test(name.trim().toUpperCase()));
