/**
 * The formats of tokens. Each begins where no token character precedes and has a bounded length, so that a search takes linear
 * time. Formats that follow a public list of rules rather than the issuer's own page cite
 * https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml as "gitleaks", or
 * https://github.com/mongodb/kingfisher/tree/main/data/rules as "Kingfisher".
 */

import { SERVICE_TOKEN_FORMS } from './serviceTokenForms';
import { hasBothCases, hasDigit, hasRandomPart, type TokenForm } from './tokenForm';

export const TOKEN_FORMS: readonly TokenForm[] = [
  { name: 'github-token', form: 'gh[opsur]_[A-Za-z0-9]{30,255}' },
  // https://github.blog/changelog/2026-04-24-notice-about-upcoming-new-format-for-github-app-installation-tokens: the app's number and a JWT.
  { name: 'github-token', form: 'ghs_\\d{1,12}_eyJ[A-Za-z0-9_.-]{40,4000}' },
  { name: 'github-token', form: 'github_pat_[A-Za-z0-9_]{30,255}' },
  // https://docs.gitlab.com/security/tokens/#token-prefixes; routable tokens have dots.
  { name: 'gitlab-token', form: '(?:gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-|GR1348941)[A-Za-z0-9_.-]{18,300}' },
  { name: 'aws-access-key-id', form: '(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA)[A-Z0-9]{16}' },
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html: Base64 of any length, whose bytes begin with its origin.
  { name: 'aws-session-token', form: '(?:IQoJb3JpZ2luX2|F[Qw]oGZXIvYXdz|AQoDYXdz)[A-Za-z0-9+/]{80,4000}={0,2}' },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-how.html: a signed address in Base64.
  { name: 'bedrock-key', form: 'bedrock-api-key-[A-Za-z0-9+/]{40,4000}={0,2}' },
  // https://learn.microsoft.com/purview/sit-defn-azure-devops-personal-access-token
  { name: 'azure-devops-token', sign: /AZDO/, form: '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}' },
  // https://github.com/microsoft/security-utilities/blob/main/GeneratedRegexPatterns/PreciselyClassifiedSecurityKeys.json, also below.
  {
    name: 'azure-key',
    sign: /JQQJ9/,
    form: '[A-Za-z0-9]{52}JQQJ9[9DH][A-Za-z0-9][A-L][A-Za-z0-9]{16}[A-Za-z][A-Za-z0-9]{7}(?:[A-Za-z0-9]{2}==)?',
  },
  {
    name: 'azure-key',
    sign: /\+ASt|ACDb|\+ABa|\+AMC|APIM/,
    form: '(?<![+/])[A-Za-z0-9+/]{76}(?:\\+ASt|ACDb|\\+ABa|\\+AMC|APIM)[A-Za-z0-9+/]{5}[AQgw]==',
  },
  {
    name: 'azure-key',
    sign: /\+ARm|\+AEh|\+ASb|AIoT|AzCa|AZEG/,
    form: '(?<![+/])[A-Za-z0-9+/]{33}(?:\\+ARm|\\+AEh|\\+ASb|AIoT|AzCa|AZEG)[A-P][A-Za-z0-9+/]{5}=',
  },
  { name: 'azure-key', sign: /\+ACR|AzSe/, form: '(?<![+/])(?:[A-Za-z0-9+/]{42}\\+ACR|[A-Za-z0-9]{42}AzSe)[A-D][A-Za-z0-9+/]{5}(?![+/=])' },
  { name: 'azure-key', sign: /AzFu/, form: '[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==' },
  { name: 'entra-client-secret', sign: /Q~/, form: '[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{31,34}' },
  { name: 'anthropic-key', form: 'sk-ant-[A-Za-z0-9]{2,12}-[A-Za-z0-9_-]{20,300}' },
  { name: 'openai-key', form: 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}' },
  { name: 'api-key', form: 'sk-(?:or|lf|kimi|cp)-[A-Za-z0-9_-]{20,300}', accepts: hasRandomPart },
  { name: 'api-key', form: 'sk-[A-Za-z0-9_-]{20,300}', accepts: hasRandomPart },
  { name: 'api-key', form: '(?:pk|tr)-lf-[A-Za-z0-9-]{20,64}', accepts: hasDigit },
  { name: 'stripe-key', form: '(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{16,255}' },
  // https://docs.stripe.com/keys/organization-api-keys
  { name: 'stripe-key', form: 'sk_org_[A-Za-z0-9_]{16,255}', accepts: hasDigit },
  { name: 'webhook-secret', form: 'whsec_[A-Za-z0-9+/=]{20,128}' },
  // https://docs.slack.dev/authentication/tokens
  { name: 'slack-token', form: '(?:xoxe\\.)?(?:xox[abcdeoprs]|xapp|xwfp)-[A-Za-z0-9-]{10,255}', accepts: hasDigit },
  { name: 'google-key', form: 'AIza[A-Za-z0-9_-]{35}' },
  // https://ai.google.dev/gemini-api/docs/api-key: authorization keys.
  { name: 'google-key', form: 'AQ\\.[A-Za-z0-9_-]{30,200}', accepts: hasDigit },
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
  { name: 'mailchimp-key', sign: /[0-9a-f]-us\d/, form: '[0-9a-f]{32}-us[0-9]{1,2}' },
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
  { name: 'sentry-token', form: 'sntry[sauir]_[A-Za-z0-9+/=_-]{30,400}' },
  { name: 'supabase-key', form: 'sb(?:p_[a-f0-9]{40}|_secret_[A-Za-z0-9_-]{20,64})' },
  { name: 'planetscale-token', form: 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,64}' },
  { name: 'netlify-token', form: 'nf[pcou]_[A-Za-z0-9]{36,64}' },
  { name: 'fly-token', form: 'fo1_[A-Za-z0-9_-]{40,100}' },
  // https://fly.io/docs/security/tokens: a list of these follows `FlyV1`.
  { name: 'fly-token', form: 'fm(?:1[ar]|2)_[A-Za-z0-9+/_-]{40,4000}={0,3}' },
  { name: 'vault-token', form: 'hv[sbr]\\.[A-Za-z0-9_-]{24,400}' },
  { name: 'terraform-token', sign: /\.atlasv1\./, form: '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}' },
  { name: 'databricks-token', form: 'dapi[a-f0-9]{32}(?:-\\d)?' },
  // https://devcenter.heroku.com/articles/authentication; gitleaks.
  { name: 'heroku-key', form: 'HRKU-[A-Za-z0-9_-]{36,100}', accepts: hasDigit },
  // https://docs.mapbox.com/help/dive-deeper/access-tokens: those that begin with `pk` are public.
  { name: 'mapbox-token', form: '[st]k\\.eyJ[A-Za-z0-9_-]{20,1000}\\.[A-Za-z0-9_-]{16,100}' },
  // https://bitwarden.com/help/access-tokens
  { name: 'bitwarden-token', form: '0\\.[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\\.[A-Za-z0-9]{20,64}:[A-Za-z0-9+/]{20,64}={0,2}' },
  // https://www.pulumi.com/docs/administration/access-identity/access-tokens; gitleaks.
  { name: 'pulumi-token', form: 'pul-[a-f0-9]{40}' },
  // https://laravel.com/docs/sanctum#issuing-api-tokens: the number of a row and 40 characters, since 2023 with a prefix and a checksum.
  { name: 'sanctum-token', sign: /\d\|[A-Za-z0-9_-]{27}/, form: '\\d{1,19}\\|[A-Za-z0-9_]{40,80}', accepts: hasBothCases },
  // https://developers.facebook.com/docs/facebook-login/guides/access-tokens; gitleaks.
  { name: 'facebook-token', form: 'EAA[A-Za-z0-9]{80,400}', accepts: hasBothCases },
  { name: 'facebook-token', sign: /\d\|[A-Za-z0-9_-]{27}/, form: '\\d{15,16}\\|[A-Za-z0-9_-]{27,40}', accepts: hasBothCases },
  // https://neon.com/docs/manage/api-keys
  { name: 'neon-key', form: 'napi_[a-z0-9]{40,80}' },
  // https://render.com/docs/api
  { name: 'render-key', form: 'rnd_[A-Za-z0-9]{24,64}', accepts: hasBothCases },
  // https://jfrog.com/help/r/jfrog-platform-administration-documentation/access-tokens; gitleaks.
  { name: 'artifactory-key', form: '(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})' },
  // https://developers.brevo.com/docs/getting-started; gitleaks.
  { name: 'brevo-key', form: 'x(?:keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16}' },
  // https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens
  { name: 'sonar-token', form: 'sq[apu]_[a-f0-9]{40}' },
  // https://www.contentful.com/developers/docs/references/authentication
  { name: 'contentful-token', form: 'CFPAT-[A-Za-z0-9_-]{40,64}' },
  // The rest of this group: gitleaks.
  { name: 'clojars-token', form: 'CLOJARS_[a-f0-9]{60}' },
  { name: 'easypost-key', form: 'EZ[AT]K[A-Za-z0-9]{54}' },
  { name: 'shippo-token', form: 'shippo_(?:live|test)_[a-f0-9]{40}' },
  { name: 'typeform-token', form: 'tfp_[A-Za-z0-9_.=-]{40,80}', accepts: hasDigit },
  // https://developers.asana.com/docs/personal-access-token; Kingfisher.
  { name: 'asana-token', form: '[12]/\\d{13,20}(?:/\\d{13,20})?:[a-f0-9]{32}' },
  // https://www.zoho.com/accounts/protocol/oauth/web-apps/access-token.html; Kingfisher.
  { name: 'zoho-token', form: '1000\\.[a-f0-9]{32}\\.[a-f0-9]{32}' },
  { name: 'readme-key', form: 'rdme_[a-z0-9]{70}' },
  { name: 'prefect-key', form: 'pn[ub]_[A-Za-z0-9]{36}' },
  { name: 'alibaba-key-id', form: 'LTAI[A-Za-z0-9]{16,24}', accepts: hasDigit },
  { name: 'octopus-key', form: 'API-[A-Z0-9]{26}', accepts: hasDigit },
  { name: 'openshift-token', form: 'sha256~[A-Za-z0-9_-]{43}' },
  { name: 'onepassword-key', form: 'A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}', accepts: hasDigit },
  { name: 'cloudflare-key', form: 'v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}' },
  { name: 'harness-key', form: '[ps]at\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}' },
  { name: 'maxmind-key', sign: /_mmk/, form: '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk' },
  { name: 'vercel-token', form: 'vc[pciark]_[A-Za-z0-9]{20,64}', accepts: hasDigit },
  // https://developers.cloudflare.com/fundamentals/api/get-started/token-formats: 40 characters and a checksum.
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
  { name: 'buildkite-token', form: 'bk(?:ua|at|aj|ct|pt)_[A-Za-z0-9_.-]{40,400}' },
  { name: 'circleci-token', form: 'CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}' },
  { name: 'sourcegraph-token', form: 'sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}' },
  { name: 'context7-key', form: 'ctx7sk-[a-f0-9-]{36}' },
  { name: 'apify-token', form: 'apify_api_[A-Za-z0-9]{36}' },
  { name: 'e2b-key', form: 'e2b_[a-f0-9]{40}' },
  { name: 'dynatrace-token', form: 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}' },
  { name: 'nuget-key', form: 'oy2[a-z0-9]{43}', accepts: hasDigit },
  { name: 'openai-refresh-token', form: 'rt_[A-Za-z0-9_.-]{60,400}', accepts: hasRandomPart },
  { name: 'age-key', form: 'AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{58,200}' },
  { name: 'jwt', form: 'eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{8,16000}(?:\\.[A-Za-z0-9_-]{0,2000})?' },
  { name: 'jwt', form: 'eyJ[A-Za-z0-9_-]{10,4000}(?:\\.[A-Za-z0-9_-]{0,16000}){4}' },
  ...SERVICE_TOKEN_FORMS,
];
