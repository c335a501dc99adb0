/**
 * The prefixes of variables that frameworks put into code for browsers, as the frameworks compare them: in upper case only. Source: the
 * platform's command line (`envPrefix` of its frameworks), and for the last four the documentation of Nuxt, Expo, ngx-env and Storybook.
 */
const prefixes = [
  'NEXT_PUBLIC_',
  'VITE_',
  'REACT_APP_',
  'GATSBY_',
  'NUXT_ENV_',
  'PUBLIC_',
  'VUE_APP_',
  'REDWOOD_ENV_',
  'SANITY_STUDIO_',
  'NUXT_PUBLIC_',
  'EXPO_PUBLIC_',
  'NG_APP_',
  'STORYBOOK_',
];

/** Returns the prefix of a variable's name that puts its value into code for browsers; undefined if it has none. */
export const publicPrefixOf = (name: string): string | undefined =>
  prefixes.find((prefix) => name.startsWith(prefix) && name.length > prefix.length);
