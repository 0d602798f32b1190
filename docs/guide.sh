# Short names for what the guides do again and again. Their first block reads this file, in the folder of the checkout:
#   . docs/guide.sh && guide buyers
# A step that fails says so on a line that begins with FAILED, and your shell goes on. Works in sh, bash and zsh.

# guide NAME: finds the service that `npm start` runs, empties a folder for the files of this guide, and opens an account for this run of it:
# so guides can be followed in any order, as often as you like, and what one leaves behind is in nobody's way.
# Sets BASE (the service's address), ACCOUNT, KEY and AGENT (the account and two keys of it), RUN (a name that no other run has) and FILES (the
# folder, which git ignores). PROKURA_API_KEY is the same KEY, for commands of the program.
guide() {
  FILES=.prokura/guides/$1 RUN=$(date +%s)-$$ BASE='' ACCOUNT='' KEY='' AGENT=''
  unset PROKURA_API_KEY
  if [ ! -f .prokura/environment.json ] || [ ! -f .prokura/account.json ]; then
    failed 'nothing runs in this folder. Run `npm start` in another terminal, in the folder of the checkout.'
    return 1
  fi
  # The files hold keys and secrets of webhooks, so that nobody else may read them.
  umask 077
  rm -rf "$FILES" && mkdir -p "$FILES"
  BASE=$(json PROKURA_PUBLIC_URL < .prokura/environment.json)
  if ! curl -sS -o /dev/null "$BASE/readyz" 2> "$FILES/curl"; then
    failed "nothing answers at $BASE. Run \`npm start\` in another terminal. ($(cat "$FILES/curl"))"
    return 1
  fi
  ./prokura accounts create "Guide: $1" --json > "$FILES/account.json" || return 1
  ACCOUNT=$(json account_id < "$FILES/account.json")
  KEY=$(json keys.secret_test < "$FILES/account.json")
  AGENT=$(json keys.agent_test < "$FILES/account.json")
  export PROKURA_API_KEY="$KEY"
}

# call KEY METHOD PATH [BODY [OPTION_OF_CURL…]]: prints the answer's body. An answer that is not 2xx is a failure.
call() { request 2 "$@"; }

# refused KEY METHOD PATH [BODY [OPTION_OF_CURL…]]: the same where the guide shows a refusal: an answer that is not 4xx is a failure.
refused() { request 4 "$@"; }

request() (
  wanted=$1 what="$3 $4" token=$2 verb=$3 place=$4 sent=${5-}
  case $token in
    GET | POST) failed "$token $verb: a key is missing, because an earlier step failed" || exit 1 ;;
  esac
  case $place in
    *//* | */ | *=) failed "$what: a value is missing in this path, because an earlier step failed" || exit 1 ;;
  esac
  if [ $# -gt 5 ]; then shift 5; else shift $#; fi
  if [ -n "$sent" ]; then set -- -H 'Content-Type: application/json' -d "$sent" "$@"; fi
  answer=$(curl -sS -w '\n%{http_code}' -X "$verb" "$BASE$place" -H "Authorization: Bearer $token" "$@" 2>&1) || {
    failed "$what: $answer" || exit 1
  }
  code=$(printf '%s' "$answer" | tail -n 1)
  answer=$(printf '%s' "$answer" | sed '$d')
  case $code in
    "$wanted"??) printf '%s\n' "$answer" ;;
    *) failed "$what answered $code: $answer" ;;
  esac
)

# show TEXT: prints what a step has answered, if it has.
show() { [ -z "$1" ] || printf '%s\n' "$1"; }

# follow KEY ID: the events of a purchase intent, until it has ended.
follow() (
  if [ $# -lt 2 ]; then failed 'follow: a key or an id is missing, because an earlier step failed' || exit 1; fi
  events=$(call "$1" GET "/v1/purchase_intents/$2/events" '' -N --max-time 120 -H 'Accept: text/event-stream') || exit 1
  printf '%s\n' "$events" | grep '^event:' || failed "purchase intent $2 has no events: $events"
)

# json PATH [TEXT]: one field of TEXT, or of standard input.
json() (
  if [ $# -gt 1 ]; then text=$2; else text=$(cat); fi
  # The step before failed, and has said so.
  if [ -z "$text" ]; then exit 1; fi
  printf '%s' "$text" | node -e '
    const [path] = process.argv.slice(1)
    let text = ""
    process.stdin.on("data", (part) => (text += part)).on("end", () => {
      let value
      try {
        value = path.split(".").reduce((at, name) => at?.[name], JSON.parse(text))
      } catch {}
      if (value === undefined) {
        console.error(`FAILED: there is no ${path} in ${text.replace(/\s+/g, " ").slice(0, 1000)}`)
        process.exitCode = 1
      } else console.log(typeof value === "string" && value !== "" ? value : JSON.stringify(value))
    })' "$1"
)

# wait_for PATTERN COMMAND…: runs the command until its output has the pattern, and prints that output.
wait_for() (
  pattern=$1 tries=0
  shift
  while [ "$tries" -lt 300 ]; do
    said=$("$@") || exit 1
    if printf '%s\n' "$said" | grep -q -e "$pattern"; then
      printf '%s\n' "$said"
      exit
    fi
    tries=$((tries + 1))
    sleep 0.1
  done
  failed "after 300 tries there is no $pattern in: $said"
)

failed() {
  printf 'FAILED: %s\n' "$(printf '%s' "$*" | tr '\n' ' ' | cut -c 1-1500)" >&2
  return 1
}
