/*
 * The forms of keys that only servers may have. Sources: the documentation of each service about its keys, and the rules of the public
 * scanners gitleaks and secretlint. Keys that are made for browsers are left out: publishable keys of Stripe, Clerk and Supabase
 * (`pk_live_`, `sb_publishable_`), keys of Google (`AIza`), tokens of Mapbox that begin with `pk.`, addresses of Sentry, project keys of
 * PostHog (`phc_`), browser keys of New Relic (`NRJS-`), client keys of LaunchDarkly. So are forms that a public and a secret key share,
 * such as those of Algolia and reCAPTCHA.
 */

import { groupBy } from '#kind';

/** The beginning of a key, the form of the text after it, and what the key is. */
type PrefixedKey = [prefix: string, rest: RegExp, what: string];

const word = /^[A-Za-z0-9_-]{16,}$/;
const long = /^[A-Za-z0-9_-]{28,}$/;
// Nothing else begins like a key of Stripe, so a shortened one counts as well.
const stripeKey = /^[A-Za-z0-9]+$/;
// Without `-` and `_`, which words in names have.
const letters = /^[A-Za-z0-9]{24,}$/;
const hex32 = /^[0-9a-f]{32}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const prefixedKeys: PrefixedKey[] = [
  ['sk_live_', stripeKey, 'a secret key of Stripe, Clerk or Paystack'],
  ['rk_live_', stripeKey, 'a restricted key of Stripe'],
  ['sk_test_', stripeKey, 'a secret test key of Stripe, Clerk or Paystack'],
  ['rk_test_', stripeKey, 'a restricted test key of Stripe'],
  ['whsec_', /^[A-Za-z0-9+/=]{16,}$/, 'the secret of a webhook'],
  ['AKIA', /^[A-Z0-9]{16}$/, 'an access key of AWS'],
  ['ASIA', /^(?=.*\d)[A-Z0-9]{16}$/, 'a temporary access key of AWS'],
  ['ghp_', letters, 'a token of GitHub'],
  ['gho_', letters, 'a token of GitHub'],
  ['ghu_', letters, 'a token of GitHub'],
  ['ghs_', letters, 'a token of GitHub'],
  ['ghr_', letters, 'a token of GitHub'],
  ['github_pat_', long, 'a token of GitHub'],
  ['glpat-', word, 'a token of GitLab'],
  ['gldt-', word, 'a deploy token of GitLab'],
  ['glptt-', word, 'a trigger token of GitLab'],
  ['xapp-', /^\d-[A-Za-z0-9-]{10,}$/, 'a token of Slack'],
  ['https://hooks.slack.com/services/', /^T\w+\/B\w+\/\w{8,}$/, 'the address of a webhook of Slack'],
  ['https://discord.com/api/webhooks/', /^\d+\/[\w-]{20,}$/, 'the address of a webhook of Discord'],
  ['sk-proj-', word, 'a key of OpenAI'],
  ['sk-svcacct-', word, 'a key of OpenAI'],
  ['sk-admin-', word, 'an admin key of OpenAI'],
  ['sk-ant-', word, 'a key of Anthropic'],
  ['sk-or-v1-', word, 'a key of OpenRouter'],
  ['sk-', /^[A-Za-z0-9]{32,}$/, 'a key of OpenAI or a service like it'],
  ['gsk_', letters, 'a key of Groq'],
  ['xai-', /^[A-Za-z0-9]{60,}$/, 'a key of xAI'],
  ['pplx-', letters, 'a key of Perplexity'],
  ['r8_', letters, 'a token of Replicate'],
  ['hf_', /^[A-Za-z0-9]{30,}$/, 'a token of Hugging Face'],
  ['sk_', /^[0-9a-f]{48}$/, 'a key of ElevenLabs'],
  ['GOCSPX-', word, 'a client secret of Google'],
  ['SG.', /^[\w-]{16,32}\.[\w-]{32,64}$/, 'a key of SendGrid'],
  ['SK', hex32, 'an API key of Twilio'],
  ['key-', hex32, 'a key of Mailgun'],
  ['xkeysib-', /^[0-9a-f]{64}-\w+$/, 'a key of Brevo'],
  ['re_', /^[A-Za-z0-9]{8}_[A-Za-z0-9]{24}$/, 'a key of Resend'],
  ['npm_', /^[A-Za-z0-9]{30,}$/, 'a token of npm'],
  ['pypi-AgE', word, 'a token of PyPI'],
  ['rubygems_', /^[0-9a-f]{48}$/, 'a key of RubyGems'],
  ['dckr_pat_', word, 'a token of Docker'],
  ['vcp_', letters, 'a token of the platform'],
  ['vci_', letters, 'a token of the platform'],
  ['vca_', letters, 'a token of the platform'],
  ['vcr_', letters, 'a token of the platform'],
  ['vck_', letters, "a key of the platform's AI gateway"],
  ['vercel_blob_rw_', word, 'a token of a blob store, which can write'],
  ['https://api.vercel.com/v1/integrations/deploy/', /^prj_\w+\/\w+$/, 'the address of a deploy hook'],
  ['sb_secret_', word, 'a secret key of Supabase'],
  ['sbp_', /^[0-9a-f]{40}$/, 'a token of Supabase'],
  ['pscale_pw_', word, 'a password of PlanetScale'],
  ['pscale_tkn_', word, 'a token of PlanetScale'],
  ['shpat_', hex32, 'a token of Shopify'],
  ['shpca_', hex32, 'a token of Shopify'],
  ['shppa_', hex32, 'a password of Shopify'],
  ['shpss_', hex32, 'a shared secret of Shopify'],
  ['sq0atp-', word, 'a token of Square'],
  ['sq0csp-', word, 'a secret of Square'],
  ['dop_v1_', /^[0-9a-f]{64}$/, 'a token of DigitalOcean'],
  ['glsa_', /^[A-Za-z0-9]{32}_[0-9a-f]{8}$/, 'a token of Grafana'],
  ['glc_', /^eyJ[\w=-]{20,}$/, 'a token of Grafana'],
  ['NRAK-', /^[A-Z0-9]{27}$/, 'a user key of New Relic'],
  ['phx_', letters, 'a personal key of PostHog'],
  ['sntrys_', word, 'a token of Sentry'],
  ['sntryu_', /^[0-9a-f]{64}$/, 'a token of Sentry'],
  ['sdk-', uuid, 'a server key of LaunchDarkly'],
  ['lin_api_', word, 'a key of Linear'],
  ['ntn_', letters, 'a token of Notion'],
  ['figd_', long, 'a token of Figma'],
  ['PMAK-', long, 'a key of Postman'],
  ['CFPAT-', long, 'a management token of Contentful'],
  ['ATATT3', long, 'a token of Atlassian'],
  ['hvs.', long, 'a token of Vault'],
  ['dapi', hex32, 'a token of Databricks'],
  ['tskey-', word, 'a key of Tailscale'],
  ['sk.eyJ', /^[\w.-]{20,}$/, 'a secret token of Mapbox'],
  ['FLWSECK-', word, 'a secret key of Flutterwave'],
  ['AGE-SECRET-KEY-1', /^[0-9A-Z]{58}$/, 'a private key of age'],
];

/** Keys that no fixed beginning identifies. */
const otherKeys: [form: RegExp, what: string][] = [
  [/^xox[abeoprs]-[A-Za-z0-9-]{10,}$/, 'a token of Slack'],
  [/^[0-9a-f]{32}-us\d{1,2}$/, 'a key of Mailchimp'],
  [/^\d{8,10}:AA[\w-]{33}$/, 'the token of a bot of Telegram'],
  [/^pat[A-Za-z0-9]{14}\.[0-9a-f]{64}$/, 'a token of Airtable'],
  [/^dp\.(pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,}$/, 'a token of Doppler'],
  [/^[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}$/, 'a token of HCP Terraform'],
  [/^cloudinary:\/\/\d+:[\w-]{10,}@/, 'a secret of Cloudinary'],
  [/AccountKey=[A-Za-z0-9+/]{40,}=*/, 'a key of an Azure storage account'],
  [/-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/, 'a private key'],
];

/** The keys with a fixed beginning, by its first letter: there are many variables. */
const keysByLetter = groupBy(prefixedKeys, ([prefix]) => prefix[0]);

/**
 * Returns what a text is if it has the form of a key that only servers may have, such as `a token of GitHub`; undefined for anything else.
 * Used for messages, which must not quote the text.
 */
export function describeKey(text: string): string | undefined {
  const isForm = ([prefix, rest]: PrefixedKey) =>
    text.startsWith(prefix) &&
    rest.test(text.slice(prefix.length)) &&
    !isPlaceholder(text.slice(prefix.length));
  const matchingForm = keysByLetter.get(text[0])?.find(isForm) ?? otherKeys.find(([form]) => form.test(text));
  return matchingForm?.at(-1) as string | undefined;
}

/** True for the end of a key that stands for a key which is filled in elsewhere: `sk_live_xxxxxxxx`, `ghp_your-token-here`. */
const isPlaceholder = (text: string): boolean =>
  /^[x*.]{2,}$|x{6,}|\b(your|example|placeholder|replace|change|dummy|insert|todo)\b/i.test(
    text.replaceAll('_', '-'),
  );
