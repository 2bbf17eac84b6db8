#!/bin/bash
# Runs in the virtual Pi as root: a card onto which `millwright card-files` wrote, from its first start, at which
# cloud-init finds and installs everything, over the restart that follows by itself, to a whole game: the board opens
# its own Wi-Fi, a phone leads it into that of the house, opens its page by name, and sets it up there, as it is soldered
# otherwise than recommended. Later it is updated from the house.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh
card=/boot/firmware

# Until the script has written how it went; says what cloud-init did if that doesn't come.
waits() {
    for _ in $(seq 900); do
        if grep --quiet --no-messages -e '^Millwright is installed' -e '^Millwright could not' $card/millwright.txt; then break; fi
        sleep 2
    done
    cat $card/millwright.txt
    if grep --quiet '^Millwright is installed' $card/millwright.txt; then return; fi
    cloud-init status --long
    tail -n 20 /run/cloud-init/ds-identify.log /run/cloud-init/cloud-init-generator.log /var/log/cloud-init-output.log
    return 1
}

switched_on() { grep --quiet '^dtparam=spi=on$' $card/config.txt && grep --quiet '^core_freq_min=500$' $card/config.txt; }

left_the_owners_own() { [ -e /var/lib/imager-was-here ] && [ "$(hostname)" = board ]; }

open_to_the_house() { systemctl show --property=Listen millwright.socket | grep --fixed-strings '[::]:8765'; }

installed_once() { [ "$(grep --count ' install millwright' /var/log/dpkg.log)" = 1 ] && [ "$(cat starts)" = 2 ]; }

echo $(($(cat starts 2>/dev/null || echo 0) + 1)) >starts
if [ "$(cat starts)" = 1 ]; then
    echo 'starts again'
    step "the card's script installs everything" waits
    all_well || ends
    sleep infinity # until it restarts by itself
fi
step "what Imager had asked for was done as well" left_the_owners_own
step "config.txt has what the wiring needs" switched_on
step "the board has started by itself" tries starts
step "its page is open to the house" open_to_the_house
step "there is a Wi-Fi in the house" in_house settles
step "nothing was done twice" installed_once
step "the board, which is in none, opens its own" in_house opens
step "a phone that joins it is led to its page" in_house leads
step "nothing changes unless somebody touches the board" in_house wants_a_touch
step "a wrong password leads back" in_house comes_back
step "the right one leads into the house" in_house joins
step "the phone opens its page by name" by_phone opens_by_name
step "the page finds how the board is soldered" by_phone sets_up
step "the page's doctor walks over it" by_phone is_examined
step "it plays a game" tries plays
step "a Wi-Fi that disappears leads back as well, and home again" in_house finds_home
step "a newer package is installed from the house" in_house takes_a_newer_version
step "a package that doesn't play is undone" in_house goes_back
step "no password is in the journal" in_house keeps_secrets
step "what changes the network may do little else" scored millwright-wifi.service 20
ends
