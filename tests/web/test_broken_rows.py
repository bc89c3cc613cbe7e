"""A row that does not open is nobody's answer, and keeps nobody from their other conversations."""

import asyncpg

from tests.fakes.house import running_house


async def test_a_tampered_exchange_is_a_plain_500_and_can_still_be_deleted(
    database_url: str, pool: asyncpg.Pool
) -> None:
    async with running_house(database_url) as house:
        broken = (await house.ask()).json()["conversation_id"]
        house.clock.move(1)
        whole = (await house.ask()).json()["conversation_id"]
        await pool.execute(
            "UPDATE exchanges SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE conversation_id = $1",
            broken,
        )
        headers = await house.bearer()
        for _ in range(2):  # not 409: what was taken for the first is given back
            answer = await house.ask(conversation_id=broken)
            assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
        assert (await house.service.get(f"/assist/conversations/{broken}", headers=headers)).status_code == 500

        listed = (await house.service.get("/assist/conversations", headers=headers)).json()["items"]
        assert [(item["id"], bool(item["title"])) for item in listed] == [(whole, True), (broken, False)]
        assert (await house.ask(conversation_id=whole)).status_code == 200
        gone = await house.service.delete(f"/assist/conversations/{broken}", headers=headers)
        assert gone.status_code == 204
