/**
 * Formats of tokens that the detector's rules don't have, or only in a narrower form. Each begins where no token
 * character precedes and has a bounded length, so that a search takes linear time.
 */
import { isExample, isFiller } from './exampleSecrets';
import type { Detector } from './span';

interface TokenRule {
  readonly name: string;
  /** The part after the lookbehind. */
  readonly form: string;
  /** Part of the token that must be more than a filler; by default the whole after its prefix. */
  readonly accepts?: (token: string) => boolean;
}

/** True if a part between separators is long and has a digit: words of a style sheet's class don't. */
const hasRandomPart = (token: string): boolean =>
  token.split(/[-_]/).some((part) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part));
const hasDigit = (token: string): boolean => /\d/.test(token);

const RULES: readonly TokenRule[] = [
  { name: 'github-token', form: 'gh[opsur]_[A-Za-z0-9]{30,255}' },
  { name: 'github-token', form: 'github_pat_[A-Za-z0-9_]{30,255}' },
  { name: 'gitlab-token', form: 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{18,300}' },
  { name: 'aws-access-key-id', form: '(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA)[A-Z0-9]{16}' },
  { name: 'anthropic-key', form: 'sk-ant-[A-Za-z0-9]{2,12}-[A-Za-z0-9_-]{20,300}' },
  { name: 'openai-key', form: 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}' },
  { name: 'api-key', form: 'sk-(?:or|lf|kimi|cp)-[A-Za-z0-9_-]{20,300}', accepts: hasRandomPart },
  { name: 'api-key', form: 'sk-[A-Za-z0-9_-]{20,300}', accepts: hasRandomPart },
  { name: 'api-key', form: '(?:pk|tr)-lf-[A-Za-z0-9-]{20,64}', accepts: hasDigit },
  { name: 'stripe-key', form: '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,255}' },
  { name: 'webhook-secret', form: 'whsec_[A-Za-z0-9+/=]{20,128}' },
  { name: 'slack-token', form: '(?:xox[abcdeoprs]|xapp)-[A-Za-z0-9-]{10,255}', accepts: hasDigit },
  { name: 'google-key', form: 'AIza[A-Za-z0-9_-]{35}' },
  { name: 'google-token', form: 'ya29\\.[A-Za-z0-9_-]{20,2000}' },
  { name: 'google-client-secret', form: 'GOCSPX-[A-Za-z0-9_-]{20,64}' },
  { name: 'google-refresh-token', form: '1//0[A-Za-z0-9_-]{30,200}' },
  { name: 'huggingface-token', form: '(?:hf|api_org)_[A-Za-z0-9]{30,100}' },
  { name: 'npm-token', form: 'npm_[A-Za-z0-9]{30,64}' },
  { name: 'pypi-token', form: 'pypi-[A-Za-z0-9_-]{50,1000}' },
  { name: 'rubygems-key', form: 'rubygems_[a-f0-9]{48}' },
  { name: 'crates-token', form: 'cio[A-Za-z0-9]{32}', accepts: hasDigit },
  { name: 'docker-token', form: 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}' },
  { name: 'sendgrid-key', form: 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,100}' },
  { name: 'mailgun-key', form: 'key-[0-9a-f]{32}' },
  { name: 'mailchimp-key', form: '[0-9a-f]{32}-us[0-9]{1,2}' },
  { name: 'twilio-key', form: 'SK[0-9a-f]{32}' },
  { name: 'shopify-token', form: 'shp(?:at|ca|pa|ss)_[A-Za-z0-9]{32,64}' },
  { name: 'digitalocean-token', form: 'do[opr]_v1_[a-f0-9]{64}' },
  { name: 'doppler-token', form: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,100}' },
  { name: 'linear-key', form: 'lin_(?:api|oauth)_[A-Za-z0-9]{30,128}' },
  { name: 'notion-token', form: '(?:ntn|secret)_[A-Za-z0-9]{40,60}' },
  { name: 'figma-token', form: 'fig[dou]r?_[A-Za-z0-9_-]{36,200}' },
  { name: 'atlassian-token', form: 'AT(?:ATT|CTT|BB)[A-Za-z0-9_=.-]{24,300}', accepts: hasDigit },
  { name: 'airtable-token', form: 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}' },
  { name: 'postman-key', form: 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}' },
  { name: 'newrelic-key', form: 'NR(?:AK|JS|AA|II)-[A-Za-z0-9-]{20,64}' },
  { name: 'grafana-token', form: '(?:glsa_[A-Za-z0-9]{20,64}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})' },
  { name: 'sentry-token', form: 'sntr(?:ys|yu|ya)_[A-Za-z0-9+/=_-]{30,400}' },
  { name: 'supabase-key', form: 'sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20,64})' },
  { name: 'planetscale-token', form: 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,64}' },
  { name: 'netlify-token', form: 'nf[pcou]_[A-Za-z0-9]{36,64}' },
  { name: 'fly-token', form: 'fo1_[A-Za-z0-9_-]{40,100}' },
  { name: 'vault-token', form: 'hv[sbr]\\.[A-Za-z0-9_-]{24,400}' },
  { name: 'terraform-token', form: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}' },
  { name: 'databricks-token', form: 'dapi[a-f0-9]{32}(?:-\\d)?' },
  { name: 'vercel-token', form: 'vc[pciark]_[A-Za-z0-9]{20,64}', accepts: hasDigit },
  { name: 'cloudflare-token', form: 'cf(?:k|ut|at)_[A-Za-z0-9]{40,64}' },
  { name: 'replicate-token', form: 'r8_[A-Za-z0-9]{32,64}' },
  { name: 'groq-key', form: 'gsk_[A-Za-z0-9]{40,80}' },
  { name: 'xai-key', form: 'xai-[A-Za-z0-9]{40,120}' },
  { name: 'perplexity-key', form: 'pplx-[A-Za-z0-9]{32,80}' },
  { name: 'nvidia-key', form: 'nvapi-[A-Za-z0-9_-]{40,100}' },
  { name: 'tavily-key', form: 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,64}' },
  { name: 'firecrawl-key', form: 'fc-[a-f0-9]{32}' },
  { name: 'tailscale-key', form: 'tskey-[a-z]{2,20}-[A-Za-z0-9]{8,40}-?[A-Za-z0-9]{0,60}' },
  { name: 'onepassword-token', form: 'ops_eyJ[A-Za-z0-9+/=_-]{60,2000}' },
  { name: 'square-token', form: '(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,64}|EAAA[A-Za-z0-9_-]{56,64})', accepts: hasDigit },
  { name: 'dropbox-token', form: 'sl\\.(?:u\\.)?[A-Za-z0-9_-]{60,2000}' },
  { name: 'discord-token', form: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}' },
  { name: 'telegram-token', form: '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}' },
  { name: 'bedrock-key', form: 'ABSK[A-Za-z0-9+/]{90,400}={0,2}' },
  { name: 'elevenlabs-key', form: 'sk_[a-f0-9]{40,64}' },
  { name: 'cerebras-key', form: 'csk-[a-z0-9]{40,64}', accepts: hasDigit },
  { name: 'langsmith-key', form: 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}' },
  { name: 'together-key', form: 'tgp_v1_[A-Za-z0-9_-]{40,64}' },
  { name: 'fireworks-key', form: 'fw_[A-Za-z0-9]{22,24}', accepts: (token) => /(?=.*\d)(?=.*[A-Z])/.test(token) },
  { name: 'pinecone-key', form: 'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{60,70}' },
  { name: 'jina-key', form: 'jina_[A-Za-z0-9_-]{50,70}' },
  { name: 'resend-key', form: 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}', accepts: hasDigit },
  { name: 'posthog-key', form: 'ph[xs]_[A-Za-z0-9]{40,64}' },
  { name: 'buildkite-token', form: 'bkua_[a-f0-9]{40}' },
  { name: 'circleci-token', form: 'CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}' },
  { name: 'sourcegraph-token', form: 'sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}' },
  { name: 'context7-key', form: 'ctx7sk-[a-f0-9-]{36}' },
  { name: 'apify-token', form: 'apify_api_[A-Za-z0-9]{36}' },
  { name: 'e2b-key', form: 'e2b_[a-f0-9]{40}' },
  { name: 'dynatrace-token', form: 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}' },
  { name: 'nuget-key', form: 'oy2[a-z0-9]{43}', accepts: hasDigit },
  { name: 'openai-refresh-token', form: 'rt_[A-Za-z0-9_.-]{60,400}', accepts: hasRandomPart },
  { name: 'age-key', form: 'AGE-SECRET-KEY-1[A-Z0-9]{58}' },
  { name: 'jwt', form: 'eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{8,16000}(?:\\.[A-Za-z0-9_-]{0,2000})?' },
  { name: 'jwt', form: 'eyJ[A-Za-z0-9_-]{10,4000}(?:\\.[A-Za-z0-9_-]{0,16000}){4}' },
];

/** No token's character precedes, unless it ends an escape: a line break, a Unicode or percent escape, or a color of a terminal. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{1,16}m))`;

/** All forms in one expression, each in a group of its own, so that a text is read once. */
const TOKEN = new RegExp(
  `${START}(?:${RULES.map(({ form }) => `(${form.replaceAll(/\((?!\?)/g, '(?:')})`).join('|')})(?![A-Za-z0-9_-])`,
  'g',
);

/** Hashes of passwords, from which weak passwords can be guessed: of bcrypt, the system's, Apache's and Argon2. */
const PASSWORD_HASH =
  /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:[156]|apr1|y)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,24}\$(?:[./A-Za-z0-9]{1,24}\$)?[./A-Za-z0-9]{22,86}|argon2(?:id|i|d)\$[^\s"'`]{20,300})/g;

const ADDRESSES: readonly { readonly name: string; readonly form: RegExp }[] = [
  { name: 'slack-webhook', form: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,200})/g },
  { name: 'discord-webhook', form: /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{15,21}\/[A-Za-z0-9_-]{40,100})/g },
  { name: 'teams-webhook', form: /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/-]{60,300})/g },
  { name: 'telegram-token', form: /api\.telegram\.org\/bot([0-9]{6,12}:[A-Za-z0-9_-]{20,64})/g },
  { name: 'sentry-key', form: /\/\/([a-f0-9]{32})(?=@[a-z0-9.-]{1,100}\/\d)/g },
];

/** Finds tokens by their form. */
export const findTokens: Detector = (text, add) => {
  for (const match of text.matchAll(TOKEN)) {
    const rule = RULES[match.findIndex((part: string | undefined, index) => index > 0 && part !== undefined) - 1];
    const [token] = match;
    if (!rule || isExample(token) || isFiller(token.slice(token.search(/[-_.:]/) + 1)) || rule.accepts?.(token) === false) continue;
    add({ start: match.index, end: match.index + token.length, rule: rule.name, kind: 'format' });
  }
  for (const { index, 0: hash } of text.matchAll(PASSWORD_HASH))
    add({ start: index, end: index + hash.length, rule: 'password-hash', kind: 'format' });
  for (const { name, form } of ADDRESSES)
    for (const match of text.matchAll(form)) {
      const secret = match[1] ?? '';
      const start = match.index + match[0].lastIndexOf(secret);
      if (!isExample(secret) && !/^[TB]?0+\//.test(secret)) add({ start, end: start + secret.length, rule: name, kind: 'format' });
    }
};
