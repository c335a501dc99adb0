import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/*
 * A site of these pages, for VitePress. Nothing here needs it: a link to a file of the repository leads there on the site, and the list of
 * pages is that of the first page.
 */

const docs = new URL('..', import.meta.url);
/** Where files of the repository can be read, without a slash at the end. */
const files = `${process.env.REPOSITORY ?? 'https://example.com/set-REPOSITORY'}/blob/main`;

/** A link that leaves this folder is one to a file of the repository. */
const leadOut = (md) =>
  md.core.ruler.push('lead-out', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href === null || !href.startsWith('.')) continue;
      const path = posix.join(posix.dirname(env.relativePath), href);
      if (path.startsWith('../')) token.attrSet('href', `${files}/${path.slice(3)}`);
    }
  });

/** Two braces in a page are text of a workflow, and no expression of Vue. */
const keepBraces = ({ renderer: { rules } }) => {
  for (const name of ['code_inline', 'text']) {
    const rendered = rules[name];
    rules[name] = (...all) => rendered(...all).replaceAll('{{', '&#123;&#123;');
  }
};

/** The tables of the first page: each names its pages under a title. */
const groups = () =>
  [...readFileSync(new URL('index.md', docs), 'utf8').matchAll(/^\| ([\w ]+) \| \|\n((?:\|.*\n)+)/gm)].map(
    ([, text, rows]) => ({
      text,
      items: [...rows.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
        [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)].map(([, name, path]) => ({
          text: name,
          link: `/${path}`,
        })),
      ),
    }),
  );

/** Returns a folded group of the sidebar with all pages of a folder. */
const allPagesOf = (text, folder) => ({
  text,
  collapsed: true,
  items: readdirSync(new URL(folder, docs))
    .filter((name) => name !== 'index.md')
    .map((name) => name.replace(/\.md$/, ''))
    .map((name) => ({ text: name, link: `/${folder}/${name}` })),
});

export default {
  title: 'trueup',
  description: 'Make a Vercel account match YAML files.',
  cleanUrls: true,
  markdown: {
    config: (md) => {
      leadOut(md);
      keepBraces(md);
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    sidebar: [...groups(), allPagesOf('All kinds', 'kinds'), allPagesOf('All commands', 'commands')],
  },
};
