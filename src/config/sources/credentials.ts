/**
 * Environment variables that hold what programs and CI systems sign in with. A pattern of `--allow-env` never means them: whoever
 * wants one of them to be read writes its name.
 */
const known = [
  // Clouds and keepers of secrets
  /^(AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|ALIBABA_CLOUD|OCI|IBMCLOUD|DIGITALOCEAN|HCLOUD|CLOUDFLARE|CF|FASTLY|HEROKU|FLY|NETLIFY|VERCEL)_/,
  /^(VAULT|OP|BW|BWS|DOPPLER|INFISICAL|AKEYLESS|CONJUR|SOPS|AGE|LASTPASS|KEEPER)_/,
  /^(TF|TFE|TF_VAR|PULUMI|ATLAS|ATLANTIS|CONSUL|NOMAD)_/,
  // CI systems, and what they hand out
  /^(GITHUB|GH|GITEA|FORGEJO|GITLAB|GL|ACTIONS|RUNNER|CI|BITBUCKET|CIRCLE|BUILDKITE|TRAVIS|DRONE|JENKINS|TEAMCITY|APPVEYOR|SEMAPHORE|SYSTEM|AGENT)_/,
  /^(SYSTEM_ACCESSTOKEN|AZURE_DEVOPS_EXT_PAT)$/,
  // Git, SSH, registries
  /^(GIT|SSH|GPG|NPM|NPM_CONFIG|NODE_AUTH|YARN|PNPM|BUN|CARGO|PYPI|PIP|UV|POETRY|TWINE|GEM|BUNDLE|RUBYGEMS|MAVEN|GRADLE|NUGET|DOCKER|REGISTRY|HELM|COMPOSER)_/,
  // Systems of others
  /^(SLACK|SENTRY|DATADOG|DD|NEW_RELIC|STRIPE|TWILIO|SENDGRID|OPENAI|ANTHROPIC|HF|SNYK|SONAR|CODECOV|PG|PGP|KUBE|K8S)_/,
  /^(PGPASSWORD|MYSQL_PWD|KUBECONFIG|REDISCLI_AUTH|COOKIE|NETRC)$/,
];

/** Whether an environment variable is known to hold a credential. On some systems names differ in case only. */
export const isCredential = (name: string): boolean =>
  known.some((pattern) => pattern.test(name.trim().toUpperCase()));
